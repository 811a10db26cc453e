/* The compiler of C embeds the files in a moment. As an array in Swift, they would take 8 s of the build. */
#pragma clang diagnostic ignored "-Wc23-extensions"

#include "cpresets.h"

static const cpreset presets[] = {
    {"airtable", (const char[]){
#embed "../OAuthCore/Provider/Presets/airtable.json" suffix(, 0)
     }},
    {"amazon", (const char[]){
#embed "../OAuthCore/Provider/Presets/amazon.json" suffix(, 0)
     }},
    {"amazon-sp-api", (const char[]){
#embed "../OAuthCore/Provider/Presets/amazon-sp-api.json" suffix(, 0)
     }},
    {"asana", (const char[]){
#embed "../OAuthCore/Provider/Presets/asana.json" suffix(, 0)
     }},
    {"atlassian", (const char[]){
#embed "../OAuthCore/Provider/Presets/atlassian.json" suffix(, 0)
     }},
    {"auth0", (const char[]){
#embed "../OAuthCore/Provider/Presets/auth0.json" suffix(, 0)
     }},
    {"basecamp", (const char[]){
#embed "../OAuthCore/Provider/Presets/basecamp.json" suffix(, 0)
     }},
    {"battlenet", (const char[]){
#embed "../OAuthCore/Provider/Presets/battlenet.json" suffix(, 0)
     }},
    {"bitbucket", (const char[]){
#embed "../OAuthCore/Provider/Presets/bitbucket.json" suffix(, 0)
     }},
    {"box", (const char[]){
#embed "../OAuthCore/Provider/Presets/box.json" suffix(, 0)
     }},
    {"codeberg", (const char[]){
#embed "../OAuthCore/Provider/Presets/codeberg.json" suffix(, 0)
     }},
    {"cognito", (const char[]){
#embed "../OAuthCore/Provider/Presets/cognito.json" suffix(, 0)
     }},
    {"coinbase", (const char[]){
#embed "../OAuthCore/Provider/Presets/coinbase.json" suffix(, 0)
     }},
    {"digitalocean", (const char[]){
#embed "../OAuthCore/Provider/Presets/digitalocean.json" suffix(, 0)
     }},
    {"discogs", (const char[]){
#embed "../OAuthCore/Provider/Presets/discogs.json" suffix(, 0)
     }},
    {"discord", (const char[]){
#embed "../OAuthCore/Provider/Presets/discord.json" suffix(, 0)
     }},
    {"dribbble", (const char[]){
#embed "../OAuthCore/Provider/Presets/dribbble.json" suffix(, 0)
     }},
    {"dropbox", (const char[]){
#embed "../OAuthCore/Provider/Presets/dropbox.json" suffix(, 0)
     }},
    {"ebay", (const char[]){
#embed "../OAuthCore/Provider/Presets/ebay.json" suffix(, 0)
     }},
    {"eventbrite", (const char[]){
#embed "../OAuthCore/Provider/Presets/eventbrite.json" suffix(, 0)
     }},
    {"facebook", (const char[]){
#embed "../OAuthCore/Provider/Presets/facebook.json" suffix(, 0)
     }},
    {"figma", (const char[]){
#embed "../OAuthCore/Provider/Presets/figma.json" suffix(, 0)
     }},
    {"fitbit", (const char[]){
#embed "../OAuthCore/Provider/Presets/fitbit.json" suffix(, 0)
     }},
    {"flickr", (const char[]){
#embed "../OAuthCore/Provider/Presets/flickr.json" suffix(, 0)
     }},
    {"gitea", (const char[]){
#embed "../OAuthCore/Provider/Presets/gitea.json" suffix(, 0)
     }},
    {"github", (const char[]){
#embed "../OAuthCore/Provider/Presets/github.json" suffix(, 0)
     }},
    {"github-app", (const char[]){
#embed "../OAuthCore/Provider/Presets/github-app.json" suffix(, 0)
     }},
    {"gitlab", (const char[]){
#embed "../OAuthCore/Provider/Presets/gitlab.json" suffix(, 0)
     }},
    {"google", (const char[]){
#embed "../OAuthCore/Provider/Presets/google.json" suffix(, 0)
     }},
    {"heroku", (const char[]){
#embed "../OAuthCore/Provider/Presets/heroku.json" suffix(, 0)
     }},
    {"hubspot", (const char[]){
#embed "../OAuthCore/Provider/Presets/hubspot.json" suffix(, 0)
     }},
    {"huggingface", (const char[]){
#embed "../OAuthCore/Provider/Presets/huggingface.json" suffix(, 0)
     }},
    {"instagram", (const char[]){
#embed "../OAuthCore/Provider/Presets/instagram.json" suffix(, 0)
     }},
    {"kakao", (const char[]){
#embed "../OAuthCore/Provider/Presets/kakao.json" suffix(, 0)
     }},
    {"keycloak", (const char[]){
#embed "../OAuthCore/Provider/Presets/keycloak.json" suffix(, 0)
     }},
    {"line", (const char[]){
#embed "../OAuthCore/Provider/Presets/line.json" suffix(, 0)
     }},
    {"linear", (const char[]){
#embed "../OAuthCore/Provider/Presets/linear.json" suffix(, 0)
     }},
    {"linkedin", (const char[]){
#embed "../OAuthCore/Provider/Presets/linkedin.json" suffix(, 0)
     }},
    {"linkedin-native", (const char[]){
#embed "../OAuthCore/Provider/Presets/linkedin-native.json" suffix(, 0)
     }},
    {"mailchimp", (const char[]){
#embed "../OAuthCore/Provider/Presets/mailchimp.json" suffix(, 0)
     }},
    {"mastodon", (const char[]){
#embed "../OAuthCore/Provider/Presets/mastodon.json" suffix(, 0)
     }},
    {"microsoft", (const char[]){
#embed "../OAuthCore/Provider/Presets/microsoft.json" suffix(, 0)
     }},
    {"microsoft-china", (const char[]){
#embed "../OAuthCore/Provider/Presets/microsoft-china.json" suffix(, 0)
     }},
    {"monday", (const char[]){
#embed "../OAuthCore/Provider/Presets/monday.json" suffix(, 0)
     }},
    {"naver", (const char[]){
#embed "../OAuthCore/Provider/Presets/naver.json" suffix(, 0)
     }},
    {"notion", (const char[]){
#embed "../OAuthCore/Provider/Presets/notion.json" suffix(, 0)
     }},
    {"okta", (const char[]){
#embed "../OAuthCore/Provider/Presets/okta.json" suffix(, 0)
     }},
    {"okta-org", (const char[]){
#embed "../OAuthCore/Provider/Presets/okta-org.json" suffix(, 0)
     }},
    {"openstreetmap", (const char[]){
#embed "../OAuthCore/Provider/Presets/openstreetmap.json" suffix(, 0)
     }},
    {"orcid", (const char[]){
#embed "../OAuthCore/Provider/Presets/orcid.json" suffix(, 0)
     }},
    {"pagerduty", (const char[]){
#embed "../OAuthCore/Provider/Presets/pagerduty.json" suffix(, 0)
     }},
    {"patreon", (const char[]){
#embed "../OAuthCore/Provider/Presets/patreon.json" suffix(, 0)
     }},
    {"paypal", (const char[]){
#embed "../OAuthCore/Provider/Presets/paypal.json" suffix(, 0)
     }},
    {"pinterest", (const char[]){
#embed "../OAuthCore/Provider/Presets/pinterest.json" suffix(, 0)
     }},
    {"pipedrive", (const char[]){
#embed "../OAuthCore/Provider/Presets/pipedrive.json" suffix(, 0)
     }},
    {"plentymarkets", (const char[]){
#embed "../OAuthCore/Provider/Presets/plentymarkets.json" suffix(, 0)
     }},
    {"quickbooks", (const char[]){
#embed "../OAuthCore/Provider/Presets/quickbooks.json" suffix(, 0)
     }},
    {"reddit", (const char[]){
#embed "../OAuthCore/Provider/Presets/reddit.json" suffix(, 0)
     }},
    {"salesforce", (const char[]){
#embed "../OAuthCore/Provider/Presets/salesforce.json" suffix(, 0)
     }},
    {"shopify", (const char[]){
#embed "../OAuthCore/Provider/Presets/shopify.json" suffix(, 0)
     }},
    {"shopline", (const char[]){
#embed "../OAuthCore/Provider/Presets/shopline.json" suffix(, 0)
     }},
    {"slack", (const char[]){
#embed "../OAuthCore/Provider/Presets/slack.json" suffix(, 0)
     }},
    {"slack-user", (const char[]){
#embed "../OAuthCore/Provider/Presets/slack-user.json" suffix(, 0)
     }},
    {"slack-user-pkce", (const char[]){
#embed "../OAuthCore/Provider/Presets/slack-user-pkce.json" suffix(, 0)
     }},
    {"spark", (const char[]){
#embed "../OAuthCore/Provider/Presets/spark.json" suffix(, 0)
     }},
    {"spark-oidc", (const char[]){
#embed "../OAuthCore/Provider/Presets/spark-oidc.json" suffix(, 0)
     }},
    {"spark-openid", (const char[]){
#embed "../OAuthCore/Provider/Presets/spark-openid.json" suffix(, 0)
     }},
    {"spark-openid-plain", (const char[]){
#embed "../OAuthCore/Provider/Presets/spark-openid-plain.json" suffix(, 0)
     }},
    {"spotify", (const char[]){
#embed "../OAuthCore/Provider/Presets/spotify.json" suffix(, 0)
     }},
    {"stackexchange", (const char[]){
#embed "../OAuthCore/Provider/Presets/stackexchange.json" suffix(, 0)
     }},
    {"steam", (const char[]){
#embed "../OAuthCore/Provider/Presets/steam.json" suffix(, 0)
     }},
    {"strava", (const char[]){
#embed "../OAuthCore/Provider/Presets/strava.json" suffix(, 0)
     }},
    {"threads", (const char[]){
#embed "../OAuthCore/Provider/Presets/threads.json" suffix(, 0)
     }},
    {"tiktok", (const char[]){
#embed "../OAuthCore/Provider/Presets/tiktok.json" suffix(, 0)
     }},
    {"tiktok-desktop", (const char[]){
#embed "../OAuthCore/Provider/Presets/tiktok-desktop.json" suffix(, 0)
     }},
    {"todoist", (const char[]){
#embed "../OAuthCore/Provider/Presets/todoist.json" suffix(, 0)
     }},
    {"trello", (const char[]){
#embed "../OAuthCore/Provider/Presets/trello.json" suffix(, 0)
     }},
    {"tumblr", (const char[]){
#embed "../OAuthCore/Provider/Presets/tumblr.json" suffix(, 0)
     }},
    {"twitch", (const char[]){
#embed "../OAuthCore/Provider/Presets/twitch.json" suffix(, 0)
     }},
    {"uber", (const char[]){
#embed "../OAuthCore/Provider/Presets/uber.json" suffix(, 0)
     }},
    {"vimeo", (const char[]){
#embed "../OAuthCore/Provider/Presets/vimeo.json" suffix(, 0)
     }},
    {"walmart", (const char[]){
#embed "../OAuthCore/Provider/Presets/walmart.json" suffix(, 0)
     }},
    {"weibo", (const char[]){
#embed "../OAuthCore/Provider/Presets/weibo.json" suffix(, 0)
     }},
    {"wordpress", (const char[]){
#embed "../OAuthCore/Provider/Presets/wordpress.json" suffix(, 0)
     }},
    {"x", (const char[]){
#embed "../OAuthCore/Provider/Presets/x.json" suffix(, 0)
     }},
    {"x-oauth1", (const char[]){
#embed "../OAuthCore/Provider/Presets/x-oauth1.json" suffix(, 0)
     }},
    {"xero", (const char[]){
#embed "../OAuthCore/Provider/Presets/xero.json" suffix(, 0)
     }},
    {"yahoo", (const char[]){
#embed "../OAuthCore/Provider/Presets/yahoo.json" suffix(, 0)
     }},
    {"yandex", (const char[]){
#embed "../OAuthCore/Provider/Presets/yandex.json" suffix(, 0)
     }},
    {"zendesk", (const char[]){
#embed "../OAuthCore/Provider/Presets/zendesk.json" suffix(, 0)
     }},
    {"zoho", (const char[]){
#embed "../OAuthCore/Provider/Presets/zoho.json" suffix(, 0)
     }},
    {"zoom", (const char[]){
#embed "../OAuthCore/Provider/Presets/zoom.json" suffix(, 0)
     }},
    {"zoom-public", (const char[]){
#embed "../OAuthCore/Provider/Presets/zoom-public.json" suffix(, 0)
     }},
};

const cpreset *cpresets_all(void) { return presets; }
int cpresets_count(void) { return sizeof presets / sizeof *presets; }
