/// Languages of East and South Asia.
extension PageTexts {
  static let chinese = PageTexts(
    language: "zh", isRightToLeft: false,
    succeededTitle: "登录成功", succeeded: "您已登录 {provider}。", account: "账号：",
    unfinishedTitle: "还差一步",
    unfinished: "{provider} 需要在另一个页面再次征得您的同意，以便您保持登录状态。",
    deniedTitle: "未授予访问权限", denied: "对 {provider} 的访问被拒绝，您尚未登录。",
    failedTitle: "登录失败", failed: "您尚未登录 {provider}。",
    outdatedTitle: "没有待完成的登录", outdated: "已不再等待此次登录。",
    closeTab: "您可以关闭此标签页。",
    tryAgain: "您可以关闭此标签页，然后回到原来的程序重新开始。",
    reasons: [
      .cancelled: "请求登录的程序已取消此次登录。",
      .replaced: "同一账号的另一次登录取代了此次登录。",
      .timedOut: "此次登录的时间已用完。",
      .ended: "请求登录的程序已结束。",
      .anotherUser: "登录的用户不是此账号的用户。",
      .refused: "服务提供方拒绝了此次登录。",
      .unreachable: "无法连接到服务提供方。",
      .untrusted: "服务提供方的应答未通过安全检查。",
      .notKept: "无法在此计算机上保存登录信息。",
      .misconfigured: "程序中有关此服务提供方的设置有误。",
      .unknown: "无法完成登录。",
    ]
  )

  static let traditionalChinese = PageTexts(
    language: "zh-Hant", isRightToLeft: false,
    succeededTitle: "登入成功", succeeded: "您已登入 {provider}。", account: "帳號：",
    unfinishedTitle: "還差一步",
    unfinished: "{provider} 需要在另一個頁面再次徵求您的同意，讓您保持登入狀態。",
    deniedTitle: "未授予存取權", denied: "對 {provider} 的存取遭到拒絕，您尚未登入。",
    failedTitle: "登入失敗", failed: "您尚未登入 {provider}。",
    outdatedTitle: "沒有待完成的登入", outdated: "已不再等待這次登入。",
    closeTab: "您可以關閉這個分頁。",
    tryAgain: "您可以關閉這個分頁，然後回到原來的程式重新開始。",
    reasons: [
      .cancelled: "要求登入的程式已取消這次登入。",
      .replaced: "同一帳號的另一次登入取代了這次登入。",
      .timedOut: "這次登入的時間已用完。",
      .ended: "要求登入的程式已結束。",
      .anotherUser: "登入的使用者不是這個帳號的使用者。",
      .refused: "服務供應商拒絕了這次登入。",
      .unreachable: "無法連線到服務供應商。",
      .untrusted: "服務供應商的回應未通過安全檢查。",
      .notKept: "無法在這台電腦上儲存登入資訊。",
      .misconfigured: "程式中關於這個服務供應商的設定有誤。",
      .unknown: "無法完成登入。",
    ]
  )

  static let japanese = PageTexts(
    language: "ja", isRightToLeft: false,
    succeededTitle: "サインインしました", succeeded: "{provider} にサインインしました。", account: "アカウント：",
    unfinishedTitle: "あと一歩です",
    unfinished: "サインインしたままにするために、{provider} が別のページでもう一度同意を求めます。",
    deniedTitle: "アクセスは許可されませんでした", denied: "{provider} へのアクセスが拒否されたため、サインインしていません。",
    failedTitle: "サインインできませんでした", failed: "{provider} にサインインしていません。",
    outdatedTitle: "待機中のサインインはありません", outdated: "このサインインはもう待機されていません。",
    closeTab: "このタブは閉じてかまいません。",
    tryAgain: "このタブを閉じて、元のプログラムからもう一度やり直してください。",
    reasons: [
      .cancelled: "サインインを求めたプログラムがキャンセルしました。",
      .replaced: "同じアカウントの別のサインインに置き換えられました。",
      .timedOut: "このサインインの制限時間が過ぎました。",
      .ended: "サインインを求めたプログラムが終了しました。",
      .anotherUser: "このアカウントとは別のユーザーがサインインしました。",
      .refused: "プロバイダーがサインインを拒否しました。",
      .unreachable: "プロバイダーに接続できませんでした。",
      .untrusted: "プロバイダーの応答がセキュリティの検査に合格しませんでした。",
      .notKept: "サインインをこのコンピューターに保存できませんでした。",
      .misconfigured: "このプロバイダーに関するプログラムの設定に誤りがあります。",
      .unknown: "サインインを完了できませんでした。",
    ]
  )

  static let korean = PageTexts(
    language: "ko", isRightToLeft: false,
    succeededTitle: "로그인되었습니다", succeeded: "{provider}에 로그인되었습니다.", account: "계정:",
    unfinishedTitle: "한 단계 더",
    unfinished: "로그인 상태를 유지하려면 {provider}의 다른 페이지에서 한 번 더 동의해야 합니다.",
    deniedTitle: "접근이 허용되지 않았습니다", denied: "{provider}에 대한 접근이 거부되어 로그인되지 않았습니다.",
    failedTitle: "로그인하지 못했습니다", failed: "{provider}에 로그인되지 않았습니다.",
    outdatedTitle: "대기 중인 로그인이 없습니다", outdated: "이 로그인은 더 이상 대기 중이 아닙니다.",
    closeTab: "이 탭을 닫아도 됩니다.",
    tryAgain: "이 탭을 닫고 원래 프로그램에서 다시 시작할 수 있습니다.",
    reasons: [
      .cancelled: "로그인을 요청한 프로그램이 로그인을 취소했습니다.",
      .replaced: "같은 계정의 다른 로그인으로 대체되었습니다.",
      .timedOut: "이 로그인의 제한 시간이 지났습니다.",
      .ended: "로그인을 요청한 프로그램이 종료되었습니다.",
      .anotherUser: "이 계정의 사용자가 아닌 다른 사용자가 로그인했습니다.",
      .refused: "제공업체가 로그인을 거부했습니다.",
      .unreachable: "제공업체에 연결할 수 없습니다.",
      .untrusted: "제공업체의 응답이 보안 검사를 통과하지 못했습니다.",
      .notKept: "이 컴퓨터에 로그인을 저장할 수 없습니다.",
      .misconfigured: "이 제공업체에 대한 프로그램 설정이 잘못되었습니다.",
      .unknown: "로그인을 완료할 수 없습니다.",
    ]
  )

  static let hindi = PageTexts(
    language: "hi", isRightToLeft: false,
    succeededTitle: "साइन इन हो गया", succeeded: "आपने {provider} में साइन इन कर लिया है।", account: "खाता:",
    unfinishedTitle: "एक और चरण",
    unfinished: "आप साइन इन रहें, इसके लिए {provider} को एक अन्य पेज पर फिर से आपकी सहमति लेनी होगी।",
    deniedTitle: "पहुँच की अनुमति नहीं मिली", denied: "{provider} तक पहुँच अस्वीकार कर दी गई, इसलिए आप साइन इन नहीं हैं।",
    failedTitle: "साइन इन विफल रहा", failed: "आपने {provider} में साइन इन नहीं किया है।",
    outdatedTitle: "कोई साइन इन बाकी नहीं है", outdated: "इस साइन इन की अब प्रतीक्षा नहीं है।",
    closeTab: "आप यह टैब बंद कर सकते हैं।",
    tryAgain: "आप यह टैब बंद करके उस प्रोग्राम से फिर शुरू कर सकते हैं जहाँ से आप आए थे।",
    reasons: [
      .cancelled: "जिस प्रोग्राम ने साइन इन माँगा था, उसने इसे रद्द कर दिया।",
      .replaced: "उसी खाते के दूसरे साइन इन ने इसकी जगह ले ली।",
      .timedOut: "इस साइन इन का समय समाप्त हो गया।",
      .ended: "जिस प्रोग्राम ने साइन इन माँगा था, वह बंद हो गया है।",
      .anotherUser: "इस खाते के उपयोगकर्ता के बजाय किसी और ने साइन इन किया।",
      .refused: "प्रदाता ने साइन इन अस्वीकार कर दिया।",
      .unreachable: "प्रदाता से संपर्क नहीं हो सका।",
      .untrusted: "प्रदाता का उत्तर सुरक्षा जाँच में विफल रहा।",
      .notKept: "साइन इन इस कंप्यूटर पर सहेजा नहीं जा सका।",
      .misconfigured: "इस प्रदाता के लिए प्रोग्राम की सेटिंग ग़लत हैं।",
      .unknown: "साइन इन पूरा नहीं हो सका।",
    ]
  )
}
