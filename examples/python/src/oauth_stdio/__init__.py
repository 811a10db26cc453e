"""A typed client for the program oauth-stdio."""

from .client import *
from .generated import *
