/// The presets' texts by name: every file of the folder `Presets`, which a test compares with what stands here.
enum PresetTable {
  static let names = [
    "airtable", "amazon", "amazon-sp-api", "asana", "atlassian", "auth0", "basecamp", "bitbucket", "box", "codeberg", "digitalocean",
    "discogs", "discord", "dribbble", "dropbox", "ebay", "facebook", "figma", "fitbit", "flickr", "gitea", "github", "gitlab", "google",
    "heroku", "hubspot", "instagram", "keycloak", "linear", "linkedin", "linkedin-native", "mailchimp", "mastodon", "microsoft",
    "microsoft-china", "monday", "notion", "okta", "pagerduty", "patreon", "plentymarkets", "quickbooks", "reddit", "salesforce",
    "shopify", "shopline", "slack", "slack-user", "spark", "spark-oidc", "spark-openid", "spark-openid-plain", "spotify", "stackexchange",
    "steam", "strava",
    "threads", "tiktok", "todoist", "trello", "tumblr", "twitch", "vimeo", "walmart", "weibo", "wordpress", "x", "x-oauth1", "xero",
    "yahoo", "zoho", "zoom",
  ]

  /// By a switch, not by a table: a table of pairs is a type that would have to be made at the start, and would have every text made with it.
  static func text(_ name: String) -> [UInt8]? {
    switch name {
    case "airtable": PackageResources.airtable_json
    case "amazon": PackageResources.amazon_json
    case "amazon-sp-api": PackageResources.amazon_sp_api_json
    case "asana": PackageResources.asana_json
    case "atlassian": PackageResources.atlassian_json
    case "auth0": PackageResources.auth0_json
    case "basecamp": PackageResources.basecamp_json
    case "bitbucket": PackageResources.bitbucket_json
    case "box": PackageResources.box_json
    case "codeberg": PackageResources.codeberg_json
    case "digitalocean": PackageResources.digitalocean_json
    case "discogs": PackageResources.discogs_json
    case "discord": PackageResources.discord_json
    case "dribbble": PackageResources.dribbble_json
    case "dropbox": PackageResources.dropbox_json
    case "ebay": PackageResources.ebay_json
    case "facebook": PackageResources.facebook_json
    case "figma": PackageResources.figma_json
    case "fitbit": PackageResources.fitbit_json
    case "flickr": PackageResources.flickr_json
    case "gitea": PackageResources.gitea_json
    case "github": PackageResources.github_json
    case "gitlab": PackageResources.gitlab_json
    case "google": PackageResources.google_json
    case "heroku": PackageResources.heroku_json
    case "hubspot": PackageResources.hubspot_json
    case "instagram": PackageResources.instagram_json
    case "keycloak": PackageResources.keycloak_json
    case "linear": PackageResources.linear_json
    case "linkedin": PackageResources.linkedin_json
    case "linkedin-native": PackageResources.linkedin_native_json
    case "mailchimp": PackageResources.mailchimp_json
    case "mastodon": PackageResources.mastodon_json
    case "microsoft": PackageResources.microsoft_json
    case "microsoft-china": PackageResources.microsoft_china_json
    case "monday": PackageResources.monday_json
    case "notion": PackageResources.notion_json
    case "okta": PackageResources.okta_json
    case "pagerduty": PackageResources.pagerduty_json
    case "patreon": PackageResources.patreon_json
    case "plentymarkets": PackageResources.plentymarkets_json
    case "quickbooks": PackageResources.quickbooks_json
    case "reddit": PackageResources.reddit_json
    case "salesforce": PackageResources.salesforce_json
    case "shopify": PackageResources.shopify_json
    case "shopline": PackageResources.shopline_json
    case "slack": PackageResources.slack_json
    case "slack-user": PackageResources.slack_user_json
    case "spark": PackageResources.spark_json
    case "spark-oidc": PackageResources.spark_oidc_json
    case "spark-openid": PackageResources.spark_openid_json
    case "spark-openid-plain": PackageResources.spark_openid_plain_json
    case "spotify": PackageResources.spotify_json
    case "stackexchange": PackageResources.stackexchange_json
    case "steam": PackageResources.steam_json
    case "strava": PackageResources.strava_json
    case "threads": PackageResources.threads_json
    case "tiktok": PackageResources.tiktok_json
    case "todoist": PackageResources.todoist_json
    case "trello": PackageResources.trello_json
    case "tumblr": PackageResources.tumblr_json
    case "twitch": PackageResources.twitch_json
    case "vimeo": PackageResources.vimeo_json
    case "walmart": PackageResources.walmart_json
    case "weibo": PackageResources.weibo_json
    case "wordpress": PackageResources.wordpress_json
    case "x": PackageResources.x_json
    case "x-oauth1": PackageResources.x_oauth1_json
    case "xero": PackageResources.xero_json
    case "yahoo": PackageResources.yahoo_json
    case "zoho": PackageResources.zoho_json
    case "zoom": PackageResources.zoom_json
    default: nil
    }
  }
}
