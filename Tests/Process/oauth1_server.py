"""A provider of OAuth 1.0a, described as params of `authorize`."""

from dataclasses import dataclass


@dataclass
class OAuth1Server:
    """A running provider of OAuth 1.0a."""

    url: str
    # The private key of the RSA methods, as PEM.
    private_key: str
    methods: list[str]

    def provider(self, **more) -> dict:
        described = {
            "protocol": "oauth1",
            "requestTokenEndpoint": f"{self.url}/oauth1/request_token",
            "authorizationEndpoint": f"{self.url}/oauth1/authorize",
            "accessTokenEndpoint": f"{self.url}/oauth1/access_token",
            "apiBase": f"{self.url}/oauth1/",
            **more,
        }
        if described.get("signatureMethod", "").startswith("RSA"):
            described.setdefault("privateKey", self.private_key)
        return described

    def parameters(self, provider: dict | None = None, **more) -> dict:
        parameters = {"account": "a", "provider": self.provider(**(provider or {})), "clientId": "ck1", "openBrowser": False}
        if not parameters["provider"].get("signatureMethod", "").startswith("RSA"):
            parameters["clientSecret"] = "cs1"
        return {**parameters, **more}
