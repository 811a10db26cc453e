/// The sentences of the result page in one language.
struct PageTexts {
  /// The primary tag of BCP 47, for `lang` and Content-Language.
  let language: String
  let isRightToLeft: Bool
  let succeededTitle: String
  /// With `{provider}` where its name goes.
  let succeeded: String
  let account: String
  let unfinishedTitle: String
  /// With `{provider}` where its name goes.
  let unfinished: String
  let deniedTitle: String
  let denied: String
  let failedTitle: String
  let failed: String
  let outdatedTitle: String
  let outdated: String
  let closeTab: String
  let tryAgain: String

  /// English is first: it is for everybody whose language isn't here.
  static let all = [english, german, french, spanish, arabic, chinese, japanese]

  static func best(for acceptLanguage: String?) -> PageTexts {
    let best = acceptLanguage.flatMap { AcceptLanguage($0).best(of: all.map(\.language)) }
    return all.first { $0.language == best } ?? english
  }

  private static let english = PageTexts(
    language: "en", isRightToLeft: false,
    succeededTitle: "Signed in", succeeded: "You are signed in to {provider}.", account: "Account:",
    unfinishedTitle: "One more step",
    unfinished: "{provider} has to ask for your consent once more, on a page of its own, so that you stay signed in.",
    deniedTitle: "Access not granted", denied: "Access was refused, so you are not signed in.",
    failedTitle: "Sign-in failed", failed: "You are not signed in. The reason:",
    outdatedTitle: "Nothing to sign in to", outdated: "This sign-in is no longer waited for.",
    closeTab: "You can close this tab.", tryAgain: "You can close this tab and start again from the program you came from."
  )

  private static let german = PageTexts(
    language: "de", isRightToLeft: false,
    succeededTitle: "Angemeldet", succeeded: "Sie sind bei {provider} angemeldet.", account: "Konto:",
    unfinishedTitle: "Noch ein Schritt",
    unfinished: "{provider} muss Sie auf einer weiteren Seite noch einmal um Zustimmung bitten, damit Sie angemeldet bleiben.",
    deniedTitle: "Zugriff nicht erlaubt", denied: "Der Zugriff wurde abgelehnt; Sie sind nicht angemeldet.",
    failedTitle: "Anmeldung fehlgeschlagen", failed: "Sie sind nicht angemeldet. Der Grund:",
    outdatedTitle: "Keine Anmeldung offen", outdated: "Auf diese Anmeldung wird nicht mehr gewartet.",
    closeTab: "Sie können diesen Tab schließen.",
    tryAgain: "Sie können diesen Tab schließen und in dem Programm, aus dem Sie kamen, von vorn beginnen."
  )

  private static let french = PageTexts(
    language: "fr", isRightToLeft: false,
    succeededTitle: "Connexion réussie", succeeded: "Vous êtes connecté à {provider}.", account: "Compte :",
    unfinishedTitle: "Encore une étape",
    unfinished: "{provider} doit vous demander votre accord encore une fois, sur une autre page, pour que vous restiez connecté.",
    deniedTitle: "Accès non accordé", denied: "L’accès a été refusé, vous n’êtes donc pas connecté.",
    failedTitle: "Échec de la connexion", failed: "Vous n’êtes pas connecté. La raison :",
    outdatedTitle: "Aucune connexion en cours", outdated: "Cette connexion n’est plus attendue.",
    closeTab: "Vous pouvez fermer cet onglet.",
    tryAgain: "Vous pouvez fermer cet onglet et recommencer depuis le programme d’où vous venez."
  )

  private static let spanish = PageTexts(
    language: "es", isRightToLeft: false,
    succeededTitle: "Sesión iniciada", succeeded: "Ha iniciado sesión en {provider}.", account: "Cuenta:",
    unfinishedTitle: "Un paso más",
    unfinished: "{provider} tiene que pedirle su consentimiento una vez más, en otra página, para que su sesión siga iniciada.",
    deniedTitle: "Acceso no concedido", denied: "Se denegó el acceso, por lo que no ha iniciado sesión.",
    failedTitle: "No se pudo iniciar sesión", failed: "No ha iniciado sesión. El motivo:",
    outdatedTitle: "Ningún inicio de sesión pendiente", outdated: "Ya no se espera este inicio de sesión.",
    closeTab: "Puede cerrar esta pestaña.",
    tryAgain: "Puede cerrar esta pestaña y empezar de nuevo desde el programa del que venía."
  )

  private static let arabic = PageTexts(
    language: "ar", isRightToLeft: true,
    succeededTitle: "تم تسجيل الدخول", succeeded: "لقد سجّلت الدخول إلى {provider}.", account: "الحساب:",
    unfinishedTitle: "خطوة أخرى",
    unfinished: "يحتاج {provider} إلى طلب موافقتك مرة أخرى في صفحة أخرى كي تبقى مسجّل الدخول.",
    deniedTitle: "لم يُمنح الإذن", denied: "رُفض طلب الوصول، ولذلك لم يتم تسجيل دخولك.",
    failedTitle: "فشل تسجيل الدخول", failed: "لم يتم تسجيل دخولك. السبب:",
    outdatedTitle: "لا يوجد تسجيل دخول قيد الانتظار", outdated: "لم يعد تسجيل الدخول هذا منتظرًا.",
    closeTab: "يمكنك إغلاق علامة التبويب هذه.",
    tryAgain: "يمكنك إغلاق علامة التبويب هذه والبدء من جديد من البرنامج الذي أتيت منه."
  )

  private static let chinese = PageTexts(
    language: "zh", isRightToLeft: false,
    succeededTitle: "登录成功", succeeded: "您已登录 {provider}。", account: "账号：",
    unfinishedTitle: "还差一步",
    unfinished: "{provider} 需要在另一个页面再次征得您的同意，以便您保持登录状态。",
    deniedTitle: "未授予访问权限", denied: "访问请求被拒绝，您尚未登录。",
    failedTitle: "登录失败", failed: "您尚未登录。原因：",
    outdatedTitle: "没有待完成的登录", outdated: "已不再等待此次登录。",
    closeTab: "您可以关闭此标签页。", tryAgain: "您可以关闭此标签页，然后回到原来的程序重新开始。"
  )

  private static let japanese = PageTexts(
    language: "ja", isRightToLeft: false,
    succeededTitle: "サインインしました", succeeded: "{provider} にサインインしました。", account: "アカウント：",
    unfinishedTitle: "あと一歩です",
    unfinished: "サインインしたままにするために、{provider} が別のページでもう一度同意を求めます。",
    deniedTitle: "アクセスは許可されませんでした", denied: "アクセスが拒否されたため、サインインしていません。",
    failedTitle: "サインインできませんでした", failed: "サインインしていません。理由：",
    outdatedTitle: "待機中のサインインはありません", outdated: "このサインインはもう待機されていません。",
    closeTab: "このタブは閉じてかまいません。",
    tryAgain: "このタブを閉じて、元のプログラムからもう一度やり直してください。"
  )
}
