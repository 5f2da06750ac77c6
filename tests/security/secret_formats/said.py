"""Secrets as people say, hash, wrap and break them, in five languages and Italian.

Written before the rules that find them. The tables are parted by the hash of each frame: the rules
were written with the even half in sight, and the odd half was measured once after that. Its misses
were mended too, so the FRESH tables were written then, and measured once in their turn.

The ORDINARY tables were written later, after an independent set of samples had shown that passwords
in everyday wordings were missed: the name after the value, adjectives after the noun, "login is
x / y", "the new one is". One in five of their samples was masked before the rules were widened, and
nine in ten at the first try after that; their misses were mended, too.

{h} is a password made up by a person, {p} one drawn by a machine, {t} a token without a mark, and
{w} one made of words and digits in more ways than {h}.
"""

from __future__ import annotations

SAID = {
    "en": """
the password is {h}
The password for the staging database is {p}.
my password is {h}, keep it safe
Password for root was {p} until yesterday
The admin password has been changed to {h}
the new password is now {p}
Please log in with password {h}
use the password {p} for the demo account
Username is admin and the password is "{h}"
the wifi passphrase is {h}
Our passcode is {p} for the vault
login admin, password {h}
I changed the password to {p} this morning
I set the root password to {h}
you can sign in as maya with the password '{p}'
The credentials are admin / {h}
the creds are deploy:{p}
pwd is {h}
pw is {p}
pass is {h} on the old box
Remember: the database password is `{p}`
The password you need is {h}.
the password should be {p}
the default password was {h}
password of the build user: {p}
Password → {h}
the API key is {t} for staging
our access token is {t}.
the client secret is now {t}
the signing secret was {t} before the rotation
the password (staging) is {h}
The DB password's {p}
""",
    "de": """
das Passwort lautet {h}
Das Passwort ist {p}.
Das Passwort für die Datenbank lautet {h}
das Kennwort lautet {p}
mein Passwort ist {h}, bitte nicht weitergeben
Das neue Passwort heißt {p}
das Root-Passwort ist jetzt {h}
Passwort für root war {p}
Bitte melde dich mit dem Passwort {h} an
Benutzer ist admin, Passwort ist {p}
Kennwort: {h}
Das WLAN-Passwort lautet: {p}
Zugangsdaten: admin / {h}
Ich habe das Passwort auf {p} geändert
das Passwort wurde auf {h} gesetzt
nimm das Passwort {p} für den Testzugang
das Standardpasswort ist {h}
Das Admin-Kennwort ist "{p}"
die Passphrase lautet {h}
der API-Schlüssel lautet {t}
Der Schlüssel für die API ist {t}
das Token lautet {t}
das Zugriffstoken ist {t}.
das Passwort von Maya ist {h}
Passwort (Staging) lautet {p}
das Datenbankpasswort lautet {p}
""",
    "fr": """
le mot de passe est {h}
Le mot de passe de la base est {p}.
mon mot de passe est {h}, garde-le pour toi
Mot de passe : {p}
mot de passe: {h}
le mdp est {p}
mdp : {h}
Le nouveau mot de passe est maintenant {p}
le mot de passe root est « {h} »
Connecte-toi avec le mot de passe {p}
J'ai changé le mot de passe en {h}
Identifiants : admin / {p}
utilise le mot de passe {h} pour le compte de démo
le mot de passe du wifi est {p}
le mot de passe était {h}
la phrase secrète est {p}
la clé API est {t}
La clé d'API est {t}.
le jeton d'accès est {t}
le jeton est {t}
l'utilisateur est admin et le mot de passe est {h}
le mot de passe administrateur est '{p}'
le code d'accès est {p}
le mot de passe par défaut est {h}
""",
    "es": """
la contraseña es {h}
La contraseña de la base de datos es {p}.
mi contraseña es {h}, no la compartas
Contraseña: {p}
contraseña : {h}
la clave es {p}
La nueva contraseña es ahora {h}
la contraseña de root era {p}
Inicia sesión con la contraseña {h}
Cambié la contraseña a {p}
usa la contraseña {h} para la cuenta de prueba
Credenciales: admin / {p}
la contraseña del wifi es "{h}"
usuario admin, contraseña {p}
la clave de acceso es {h}
la clave de API es {t}
La clave API es {t}.
el token de acceso es {t}
el token es {t}
la contrasena es {p}
la contraseña por defecto es {h}
el usuario es admin y la contraseña es {p}
la frase de paso es {p}
Clave: {h}
""",
    "pt": """
a senha é {h}
A senha do banco de dados é {p}.
minha senha é {h}, não compartilhe
Senha: {p}
senha : {h}
a nova senha é {p}
a palavra-passe é {h}
a senha do root era {p}
Entre com a senha {h}
Mudei a senha para {p}
use a senha {h} na conta de teste
Credenciais: admin / {p}
a senha do wifi é "{h}"
usuário admin, senha {p}
a chave de API é {t}
o token de acesso é {t}
o token é {t}.
a senha padrão é {h}
o usuário é admin e a senha é {p}
a senha agora é {h}
la password è {h}
La password del database è {p}.
la mia password è {h}
la chiave API è {t}
il token è {t}
la parola d'ordine è {p}
password di root: {h}
la password di root era {p}
""",
}

FRESH_SAID = {
    "en": """
heads up, the prod password is {p} as of today
FYI password = {h}
the postgres password is currently {p}
The password on the NAS is {h}
so the password was "{p}" all along
Password for the printer: {h}
the password got changed to {p}
please use {t} as the API token
try the password {h}
root's password is {p}
the admin credentials are root / {p}
the secret key is {t}, do not share it
""",
    "de": """
Das Passwort vom Drucker ist {h}.
Übrigens lautet das neue Passwort {p}
Passwort für den Server: {p}
das Masterpasswort lautet {h}
das Kennwort für das VPN ist {p}
unser Passwort heißt {h}
Anmeldedaten: root / {p}
der API-Schlüssel ist jetzt {t}
""",
    "fr": """
le mot de passe pour le serveur est {p}
notre mot de passe est {h}.
mot de passe du routeur : {p}
le mot de passe est désormais {h}
le mdp du serveur est {p}
identifiants : root / {p}
la clé secrète est {t}
""",
    "es": """
la contraseña para el servidor es {p}
nuestra contraseña es {h}.
contraseña del router: {p}
la contraseña ahora es {h}
la clave del wifi es {h}
la clave secreta es {t}
entra con la contraseña {p}
""",
    "pt": """
a senha para o servidor é {p}
nossa senha é {h}.
senha do roteador: {p}
a palavra-passe do servidor é {h}
a chave secreta é {t}
la password per il server è {p}
la nostra password è {h}.
la password adesso è {p}
""",
}

ORDINARY_SAID = {
    "en": """
pw for the jump host: {w}
the pwd is {w}, same as last year
login for the wiki is editor / {w}
user backup, pass {w}
Username: deploy, password: {w}
use {w} as the admin password
{w} is the password for the test tenant
I changed it again, the new password is {w} until Monday
The old password stopped working. The new one is {w}
I had to reset the router password and set it to {w}
She rotated the password yesterday; it's now {w}
the temporary password they gave me was {w}
sign in as root with {w} as password
The password (rotated today) = {w}
password -> {w}
PIN/passcode for the door is {w}
my passphrase for the backup disk: "{w}"
the password that works on the lab switch is {w}
Password on the printer has been reset to {w} by IT
credentials for staging: alice / {w}
you log in with the user admin and the password {w}
set the grafana password to {w} and told the team
passwd of the service account is {w}
""",
    "de": """
PW fürs WLAN: {w}
Nutze {w} als Kennwort für den Testzugang
{w} ist das Passwort vom alten Router
Das Passwort habe ich auf {w} geändert
Benutzername service, Passwort {w}
Login: admin / {w}
Zugang zum Wiki ist redaktion / {w}
Das alte Passwort geht nicht mehr. Das neue lautet {w}
Das Kennwort wurde gestern auf {w} zurückgesetzt
mit dem Benutzer root und dem Passwort {w} anmelden
Das vorläufige Passwort für Jana war {w} bis gestern
Passwort (Testsystem) = {w}
Das Kennwort dafür ist „{w}“
Zugangsdaten für die Datenbank: app / {w}
das Passwort wird ab morgen {w} sein
Setz das Passwort bitte auf {w}
""",
    "fr": """
le mdp c'est {w}
Le mot de passe provisoire est {w} jusqu'à lundi
Prends {w} comme mot de passe
{w} est le mot de passe du routeur
identifiant admin, mot de passe {w}
Login : support / {w}
Le mot de passe a été changé en {w} hier
J'ai mis {w} comme mdp sur le NAS
L'ancien mot de passe ne marche plus, le nouveau est {w}
mot de passe wifi : {w}
on a remplacé le mot de passe par {w}
Le mot de passe du compte de service, c'est « {w} »
utilisateur root et mot de passe {w} pour la console
mot de passe (recette) = {w}
Les identifiants du serveur sont root / {w}
""",
    "es": """
la contraseña temporal es {w} hasta el lunes
Usa {w} como contraseña del panel
{w} es la contraseña del router
usuario: soporte / contraseña: {w}
He cambiado la contraseña de root a {w} esta mañana
La contraseña se ha cambiado a {w}
La contraseña antigua ya no vale, la nueva es {w}
pon {w} como clave del wifi
el acceso al servidor es admin / {w}
contraseña (pruebas) = {w}
la contraseña quedó en {w} después del cambio
entra con el usuario root y la contraseña {w}
la clave de la impresora era «{w}»
La contraseña fue restablecida a {w}
""",
    "pt": """
a senha temporária é {w} até sexta
Usa {w} como senha do painel
{w} é a senha do roteador
usuário root, senha {w}
A senha foi alterada para {w} ontem
A senha antiga não funciona, a nova é {w}
senha (testes) = {w}
o login do servidor é admin / {w}
troquei a senha do wifi por {w}
a palavra-passe do portal passou a ser {w}
utilizador: suporte, palavra-passe: {w}
La password temporanea è {w} fino a lunedì
Usa {w} come password del pannello
{w} è la password del router
utente root, password {w}
La password è stata cambiata in {w} ieri
Ho cambiato la password di root in {w}
La vecchia password non va più, la nuova è {w}
password (collaudo) = {w}
Le credenziali del server sono admin / {w}
""",
}

WORDS = (
    *("river", "kestrel", "lantern", "mistral", "piano", "almendra", "castor", "nuvola", "birne"),
    *("falaise", "tornado", "zitrone", "jardim", "velero", "quercia", "harbor"),
)
