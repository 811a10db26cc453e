/// The built-in presets. Each is a JSON file of its name in the folder `Presets`; a test compares the names with the files.
package enum Preset: String, CaseIterable {
  case airtable
  case amazon
  case amazonSpApi = "amazon-sp-api"
  case asana
  case atlassian
  case auth0
  case basecamp
  case bitbucket
  case box
  case codeberg
  case digitalocean
  case discogs
  case discord
  case dribbble
  case dropbox
  case ebay
  case facebook
  case figma
  case fitbit
  case flickr
  case gitea
  case github
  case gitlab
  case google
  case heroku
  case hubspot
  case instagram
  case keycloak
  case linear
  case linkedin
  case linkedinNative = "linkedin-native"
  case mailchimp
  case mastodon
  case microsoft
  case microsoftChina = "microsoft-china"
  case monday
  case notion
  case okta
  case pagerduty
  case patreon
  case plentymarkets
  case quickbooks
  case reddit
  case salesforce
  case shopify
  case shopline
  case slack
  case slackUser = "slack-user"
  case spark
  case sparkOidc = "spark-oidc"
  case sparkOpenid = "spark-openid"
  case sparkOpenidPlain = "spark-openid-plain"
  case spotify
  case stackexchange
  case steam
  case strava
  case threads
  case tiktok
  case todoist
  case trello
  case tumblr
  case twitch
  case vimeo
  case walmart
  case weibo
  case wordpress
  case x
  case xOauth1 = "x-oauth1"
  case xero
  case yahoo
  case zoho
  case zoom

  /// The preset's JSON text. A table would load every text at start.
  package var text: [UInt8] {
    switch self {
    case .airtable: PackageResources.airtable_json
    case .amazon: PackageResources.amazon_json
    case .amazonSpApi: PackageResources.amazon_sp_api_json
    case .asana: PackageResources.asana_json
    case .atlassian: PackageResources.atlassian_json
    case .auth0: PackageResources.auth0_json
    case .basecamp: PackageResources.basecamp_json
    case .bitbucket: PackageResources.bitbucket_json
    case .box: PackageResources.box_json
    case .codeberg: PackageResources.codeberg_json
    case .digitalocean: PackageResources.digitalocean_json
    case .discogs: PackageResources.discogs_json
    case .discord: PackageResources.discord_json
    case .dribbble: PackageResources.dribbble_json
    case .dropbox: PackageResources.dropbox_json
    case .ebay: PackageResources.ebay_json
    case .facebook: PackageResources.facebook_json
    case .figma: PackageResources.figma_json
    case .fitbit: PackageResources.fitbit_json
    case .flickr: PackageResources.flickr_json
    case .gitea: PackageResources.gitea_json
    case .github: PackageResources.github_json
    case .gitlab: PackageResources.gitlab_json
    case .google: PackageResources.google_json
    case .heroku: PackageResources.heroku_json
    case .hubspot: PackageResources.hubspot_json
    case .instagram: PackageResources.instagram_json
    case .keycloak: PackageResources.keycloak_json
    case .linear: PackageResources.linear_json
    case .linkedin: PackageResources.linkedin_json
    case .linkedinNative: PackageResources.linkedin_native_json
    case .mailchimp: PackageResources.mailchimp_json
    case .mastodon: PackageResources.mastodon_json
    case .microsoft: PackageResources.microsoft_json
    case .microsoftChina: PackageResources.microsoft_china_json
    case .monday: PackageResources.monday_json
    case .notion: PackageResources.notion_json
    case .okta: PackageResources.okta_json
    case .pagerduty: PackageResources.pagerduty_json
    case .patreon: PackageResources.patreon_json
    case .plentymarkets: PackageResources.plentymarkets_json
    case .quickbooks: PackageResources.quickbooks_json
    case .reddit: PackageResources.reddit_json
    case .salesforce: PackageResources.salesforce_json
    case .shopify: PackageResources.shopify_json
    case .shopline: PackageResources.shopline_json
    case .slack: PackageResources.slack_json
    case .slackUser: PackageResources.slack_user_json
    case .spark: PackageResources.spark_json
    case .sparkOidc: PackageResources.spark_oidc_json
    case .sparkOpenid: PackageResources.spark_openid_json
    case .sparkOpenidPlain: PackageResources.spark_openid_plain_json
    case .spotify: PackageResources.spotify_json
    case .stackexchange: PackageResources.stackexchange_json
    case .steam: PackageResources.steam_json
    case .strava: PackageResources.strava_json
    case .threads: PackageResources.threads_json
    case .tiktok: PackageResources.tiktok_json
    case .todoist: PackageResources.todoist_json
    case .trello: PackageResources.trello_json
    case .tumblr: PackageResources.tumblr_json
    case .twitch: PackageResources.twitch_json
    case .vimeo: PackageResources.vimeo_json
    case .walmart: PackageResources.walmart_json
    case .weibo: PackageResources.weibo_json
    case .wordpress: PackageResources.wordpress_json
    case .x: PackageResources.x_json
    case .xOauth1: PackageResources.x_oauth1_json
    case .xero: PackageResources.xero_json
    case .yahoo: PackageResources.yahoo_json
    case .zoho: PackageResources.zoho_json
    case .zoom: PackageResources.zoom_json
    }
  }
}
