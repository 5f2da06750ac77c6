"""Secrets as people say, hash, wrap and break them, in five languages and Italian.

Written before the rules that find them. The tables are parted by the hash of each frame: the rules
were written with the even half in sight, and the odd half was measured once after that. Its misses
were mended too, so the FRESH tables were written then, and measured once in their turn.

{h} is a password made up by a person, {p} one drawn by a machine, {t} a token without a mark.
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
