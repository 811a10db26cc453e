"""The test server's URLs: OAuth under /o/, its metadata, a login page and one protected resource."""

from django.contrib.auth.views import LoginView
from django.http import HttpResponse, JsonResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from oauth2_provider import urls as oauth_urls
from oauth2_provider.decorators import protected_resource


@csrf_exempt
@protected_resource(scopes=["read"])
def me(request):
    """Returns what the request contained, and its user."""
    return JsonResponse(
        {
            "user": request.resource_owner.username if request.resource_owner else None,
            "method": request.method,
            "query": request.GET.dict(),
            "body": request.body.decode("utf-8", "replace"),
        }
    )


urlpatterns = [
    path("", lambda request: HttpResponse("dot")),
    path("", include((oauth_urls.metadata_urlpatterns, "oauth2_provider"), namespace="metadata")),
    path("o/", include("oauth2_provider.urls")),
    path("accounts/login/", LoginView.as_view()),
    path("api/me", me),
]
