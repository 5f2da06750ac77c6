"""How files, functions and interfaces are named: the tables of parsing.py."""

from __future__ import annotations

from varves.language.english.words import listed

EXTENSIONS = listed(
    """
ada adb adoc ads apk asc asm aspx astro avi avif bak bash bat bib bicep bin blade bmp bz2 c
cabal cc cert cfg cjs cl class clj cljs cls cmake cmd cnf coffee conf config cpp crt cs csproj
css csv cts cu cxx d dart dat db der diff dll dockerfile docx dot drawio dtd dylib edn ejs el
elm env eot eps epub erb erl ex exe exs f90 feature fish flac flow fs fsx gem gif glsl go gpg
gql gradle graphql groovy gz h haml hbs hcl heex hjson hpp hrl hs htm html http hxx ico iml in
ini ino ipynb iso j2 jade jar java jl jpeg jpg js json json5 jsonl jsonnet jsp jsx key kt kts
latex less lhs lib liquid lisp lock log lua m m4 mak map markdown md mdx mjs mk ml mli mm mod
mov mp3 mp4 msi mts mustache ndjson nim nix njk nu ogg org orig otf out pas patch pdf pem pfx
php pid pl plist pm png po pod pot pptx prisma proc prof properties proto ps1 psd pub pug purs
py pyc pyi pyx qml qss r rake rb rego rej rkt rmd rs rst rtf s sass sbt scala scm scss sh sig
sln snap so sol spec sql sqlite sqlite3 srt ss sty sum sv svelte svg swift swp tar tcl templ tex
tf tfstate tfvars tga tgz thrift tif tiff tmp tmpl toml tpl ts tsbuildinfo tsv tsx ttf twig txt
v vb vhd vhdl vim vue war wasm wat wav webm webmanifest webp whl woff woff2 wsdl xaml xcf xhtml
xlsx xml xsd xsl xslt yaml yml zig zip zsh zst
"""
)
"""The endings of files; `Basket.total` has none of them."""
HOSTS = listed(
    """
app at ch cn co com de dev edu es eu fr gov io it jp local net nl org uk
"""
)
"""The endings of names of machines, such as `api.example.com`."""
PRODUCTS = listed(
    """
airbnb asp.net bitbucket chart.js couchdb d3.js deno.land devops discord.js dynamodb ember.js
express.js fastapi firefoxos github gitlab graphql hashicorp influxdb javascript leetcode
linkedin macbook mariadb mongodb mysql nest.js next.js node.js nosql nuxt.js openai openapi
openshift openssl openstack paper.js paypal playstation postgresql pycharm pytorch react.js
rubygems scikitlearn socket.io solid.js stackoverflow tensorflow three.js typescript vb.net
vscode vue.js watchos webassembly webgl webrtc whatsapp wordpress youtube
"""
)
"""Names of products that look like files or functions, in lower case."""
ACTIONS = listed(
    """
add append apply assert assign attach authenticate authorize await batch bind broadcast calc
calculate cancel cast clamp clean cleanup clear clone collect compare compile compute concat
configure connect convert copy create debounce decode decrease decrement decrypt dedupe delete
dequeue deserialize destroy detach detect disable disconnect dispatch download emit enable
encode encrypt enqueue ensure escape evaluate execute expand extract fetch find flatten format
generate get handle increase increment init initialise initialize inject insert instantiate
invoke iterate join list load login logout make memoize merge migrate mount move multiply
navigate normalise normalize notify parse patch persist poll pop populate prepare preprocess
print process publish pull push query receive recompute redirect redraw refresh register reject
release remove rename render replace request require reset resize resolve restore retrieve retry
rotate round sanitise sanitize save scan schedule search select send serialise serialize set
setup show shuffle slice spawn split stringify subscribe subtract sum sync teardown throttle
tokenize transform translate traverse trim truncate try unbind unescape unlock unmount
unregister unsubscribe unwrap unzip update upload upsert use validate verify visit walk watch
wrap write
"""
)
"""Verbs with which names of functions begin: `fetch_rates`, `calculateTotal`."""
ASKING = listed(
    """
as can contains did does for from has in is on should to was will with
"""
)
"""Words with which names of functions begin in camel case only: `isValid`, `toJson`, `onClick`."""
NOUNS = listed(
    """
batch cast clone copy create delete download format init join list load lock log login merge
migrate move patch poll print process publish pull push query reject release request reset retry
round save scan schedule search select send slice split sum sync update upload use visit walk
watch write
"""
)
"""Those of `ACTIONS` with which names of values begin as well."""
NOT_DONE = listed(
    """
at balancer base by case center code count date factor file flag group header id index interval
key kind length level limit list lock log method mode name node number only order out path
policy price queue rate ref retries size source status step string style table text through time
timeout timestamp top type url user value version
"""
)
"""Last words of such names of values: `update_time`, `list_price`."""
STYLES = listed(
    """
admin external graphql grpc http https internal json private public rest restful rpc soap v1 v2
v3 web websocket xml
"""
)
"""Words that tell the kind of an interface; they name it only together with another word."""
GENERIC = listed(
    """
a add against all an and another any are as async at bad beta better both break broken build by
call calling change check clean create current debug deploy deprecated design docs document
documentation documented each entire error errors every existing expose extend fake fast first
fix fixing flaky for from full good handle her his hit hitting if implement improve in into is
its last legacy let live local main make many migrate mock multiple my new next nice no not of
official old on one open or other our own partial production query querying real refactor
release remote remove rename response responses review rewrite same second secure several ship
simple slow some stable staging support sync test than that the their then these third this
those to two undocumented unofficial unstable update use using various version via was what when
which whole whose with wrap write your
"""
)
"""Words before "API" or "endpoint" that do not name it."""
CALLED = r"(?:function|method|func|fn|def|helper|callback|handler|hook|procedure|subroutine)s?"
"""The words beside which any name of code is that of a function."""
