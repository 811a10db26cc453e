"""Django settings of the test server. The environment sets what a test varies."""

import os
from pathlib import Path

STATE = Path(os.environ["DOT_STATE"])
BASE_URL = f"http://127.0.0.1:{os.environ['DOT_PORT']}"


def flag(name: str, default: bool) -> bool:
    return os.environ.get(name, "1" if default else "0") == "1"


def seconds(name: str, default: int) -> int:
    return int(os.environ.get(name, default))


SECRET_KEY = "not a secret: this server lives for one test run"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "urls"
USE_TZ = True
STATIC_URL = "/static/"
LOGIN_URL = "/accounts/login/"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "oauth2_provider",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "oauth2_provider.middleware.OAuth2TokenMiddleware",
]
AUTHENTICATION_BACKENDS = [
    "oauth2_provider.backends.OAuth2Backend",
    "django.contrib.auth.backends.ModelBackend",
]
# The slow hashers would take a second for each confidential client.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": STATE / "db.sqlite3",
        "OPTIONS": {"init_command": "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;", "timeout": 20},
    }
}

LOGIN_PAGE = """
<title>Login</title>
<form method="post">{% csrf_token %}{{ form.as_p }}
  <input type="hidden" name="next" value="{{ next }}"><button type="submit">Log in</button>
</form>
"""
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "OPTIONS": {
            "loaders": [
                ("django.template.loaders.locmem.Loader", {"registration/login.html": LOGIN_PAGE}),
                "django.template.loaders.app_directories.Loader",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

OAUTH2_PROVIDER = {
    "OIDC_ENABLED": True,
    "OIDC_RSA_PRIVATE_KEY": (STATE / "rsa.pem").read_text(),
    "SCOPES": {name: name.title() for name in ("openid", "profile", "email", "read", "write", "offline_access")},
    "DEFAULT_SCOPES": ["read"],
    "PKCE_REQUIRED": True,
    "ROTATE_REFRESH_TOKEN": flag("DOT_ROTATE", True),
    # A second use of a refresh token revokes every token that was issued from it.
    "REFRESH_TOKEN_REUSE_PROTECTION": flag("DOT_REUSE", True),
    "REFRESH_TOKEN_GRACE_PERIOD_SECONDS": seconds("DOT_GRACE", 0),
    "ACCESS_TOKEN_EXPIRE_SECONDS": seconds("DOT_ACCESS_TOKEN_LIFETIME", 3600),
    "ALLOWED_SCHEMES": ["http", "https"],
    "ALLOWED_REDIRECT_URI_SCHEMES": ["http", "https", "com.example.app"],
    "ALLOW_LOCALHOST_LOOPBACK": True,
    # Any client may register (RFC 7591).
    "DCR_ENABLED": True,
    "DCR_REGISTRATION_PERMISSION_CLASSES": ("oauth2_provider.dcr.AllowAllDCRPermission",),
    "DEVICE_FLOW_INTERVAL": 1,
    "OAUTH_DEVICE_VERIFICATION_URI": f"{BASE_URL}/o/device/",
    "OAUTH_DEVICE_VERIFICATION_URI_COMPLETE": lambda user_code: f"{BASE_URL}/o/device/?user_code={user_code}",
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
}
