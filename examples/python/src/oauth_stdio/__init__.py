"""A typed client for the program oauth-stdio, and logins for the libraries of others."""

import sys

if sys.version_info < (3, 11):
    raise ImportError("the package oauth_stdio needs Python 3.11; the program and the keyring backend run without it")

from .client import *
from .generated import *
from .login import *
