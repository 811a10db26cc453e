#!/usr/bin/env bash
# glewlwyd as a test server: start.sh PORT STATE_DIR, in the foreground on 127.0.0.1. setup.py then adds the tests' data.
# With a certificate and its key in STATE_DIR/server.pem it uses TLS, and asks for certificates of the authority STATE_DIR/ca.pem.
set -euo pipefail
port=${1:?port}
state=${2:?state directory}
mkdir -p "$state/webapp" "$state/no-modules"

# Debian packages the schema as documentation, which minimal images omit. install.sh then stores it beside the virtual environment.
sql=init.sqlite3.sql.gz
for folder in /usr/share/doc/glewlwyd/database "${GLEWLWYD_SQL:-/nonexistent}"; do
  if [ -f "$folder/$sql" ]; then
    python3 - "$folder/$sql" "$state/glewlwyd.db" <<'PY'
import gzip, sqlite3, sys
sqlite3.connect(sys.argv[2]).executescript("PRAGMA journal_mode=MEMORY;" + gzip.open(sys.argv[1], "rt").read())
PY
    break
  fi
done
[ -s "$state/glewlwyd.db" ] || { echo "glewlwyd's database schema ($sql) is nowhere to be found" >&2; exit 1; }

scheme=http secure=false
[ ! -f "$state/server.pem" ] || scheme=https secure=true

cat > "$state/glewlwyd.conf" <<CONF
port=$port
bind_address="127.0.0.1"
external_url="$scheme://127.0.0.1:$port"
login_url="login.html"
api_prefix="api"
static_files_path="$state/webapp/"
log_mode="console"
log_level="WARNING"
cookie_secure=0
cookie_same_site="empty"
session_expiration=2419200
session_key="GLEWLWYD2_SESSION_ID"
admin_session_authentication="cookie"
profile_session_authentication="cookie"
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="/usr/lib/glewlwyd/user"
user_middleware_module_path="$state/no-modules"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
use_secure_connection=$secure
secure_connection_key_file="$state/server.pem"
secure_connection_pem_file="$state/server.pem"
secure_connection_ca_file="$state/ca.pem"
hash_algorithm="SHA512"
database={ type="sqlite3"; path="$state/glewlwyd.db"; };
CONF
exec glewlwyd -c "$state/glewlwyd.conf"
