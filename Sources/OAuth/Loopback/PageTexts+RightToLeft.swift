/// Languages that are written from right to left.
extension PageTexts {
  static let arabic = PageTexts(
    language: "ar", isRightToLeft: true,
    succeededTitle: "تم تسجيل الدخول", succeeded: "لقد سجّلت الدخول إلى {provider}.", account: "الحساب:",
    unfinishedTitle: "خطوة أخرى",
    unfinished: "يحتاج {provider} إلى طلب موافقتك مرة أخرى في صفحة أخرى كي تبقى مسجّل الدخول.",
    deniedTitle: "لم يُمنح الإذن", denied: "رُفض الوصول إلى {provider}، ولذلك لم يتم تسجيل دخولك.",
    failedTitle: "فشل تسجيل الدخول", failed: "لم يتم تسجيل دخولك إلى {provider}.",
    outdatedTitle: "لا يوجد تسجيل دخول قيد الانتظار", outdated: "لم يعد تسجيل الدخول هذا منتظرًا.",
    closeTab: "يمكنك إغلاق علامة التبويب هذه.",
    tryAgain: "يمكنك إغلاق علامة التبويب هذه والبدء من جديد من البرنامج الذي أتيت منه.",
    reasons: [
      .cancelled: "ألغى البرنامجُ الذي طلب تسجيل الدخول هذا الطلب.",
      .replaced: "حلّ محله تسجيل دخول آخر للحساب نفسه.",
      .timedOut: "انتهى الوقت المخصص لتسجيل الدخول هذا.",
      .ended: "انتهى تشغيل البرنامج الذي طلب تسجيل الدخول.",
      .anotherUser: "سجّل الدخول مستخدم آخر غير صاحب هذا الحساب.",
      .refused: "رفض المزوّد تسجيل الدخول.",
      .unreachable: "تعذّر الوصول إلى المزوّد.",
      .untrusted: "لم تجتز استجابة المزوّد فحصًا أمنيًا.",
      .notKept: "تعذّر حفظ تسجيل الدخول على هذا الجهاز.",
      .misconfigured: "إعدادات البرنامج لهذا المزوّد غير صحيحة.",
      .unknown: "تعذّر إكمال تسجيل الدخول.",
    ]
  )

  static let hebrew = PageTexts(
    language: "he", isRightToLeft: true,
    succeededTitle: "נכנסת לחשבון", succeeded: "נכנסת אל {provider}.", account: "חשבון:",
    unfinishedTitle: "עוד צעד אחד",
    unfinished: "כדי שהחיבור יישמר, {provider} יבקש את הסכמתך פעם נוספת בדף אחר.",
    deniedTitle: "הגישה לא אושרה", denied: "הגישה אל {provider} נדחתה, ולכן לא נכנסת לחשבון.",
    failedTitle: "הכניסה נכשלה", failed: "לא נכנסת אל {provider}.",
    outdatedTitle: "אין כניסה שממתינה", outdated: "כבר לא ממתינים לכניסה הזאת.",
    closeTab: "אפשר לסגור את הכרטיסייה הזאת.",
    tryAgain: "אפשר לסגור את הכרטיסייה הזאת ולהתחיל מחדש מהתוכנה שממנה הגעת.",
    reasons: [
      .cancelled: "התוכנה שביקשה את הכניסה ביטלה אותה.",
      .replaced: "כניסה אחרת של אותו חשבון באה במקומה.",
      .timedOut: "הזמן לכניסה הזאת תם.",
      .ended: "התוכנה שביקשה את הכניסה הסתיימה.",
      .anotherUser: "נכנס משתמש אחר, שהחשבון הזה אינו שלו.",
      .refused: "הספק דחה את הכניסה.",
      .unreachable: "לא ניתן היה להתחבר אל הספק.",
      .untrusted: "תשובת הספק נכשלה בבדיקת אבטחה.",
      .notKept: "לא ניתן היה לשמור את הכניסה במחשב הזה.",
      .misconfigured: "הגדרות התוכנה עבור הספק הזה שגויות.",
      .unknown: "לא ניתן היה להשלים את הכניסה.",
    ]
  )

  static let persian = PageTexts(
    language: "fa", isRightToLeft: true,
    succeededTitle: "وارد شدید", succeeded: "شما وارد {provider} شده‌اید.", account: "حساب:",
    unfinishedTitle: "یک گام دیگر",
    unfinished: "برای آنکه وارد بمانید، {provider} باید یک بار دیگر در صفحه‌ای دیگر از شما اجازه بگیرد.",
    deniedTitle: "دسترسی داده نشد", denied: "دسترسی به {provider} رد شد؛ بنابراین وارد نشده‌اید.",
    failedTitle: "ورود ناموفق بود", failed: "شما وارد {provider} نشده‌اید.",
    outdatedTitle: "ورودی در انتظار نیست", outdated: "دیگر کسی منتظر این ورود نیست.",
    closeTab: "می‌توانید این زبانه را ببندید.",
    tryAgain: "می‌توانید این زبانه را ببندید و از برنامه‌ای که از آن آمده‌اید دوباره شروع کنید.",
    reasons: [
      .cancelled: "برنامه‌ای که ورود را درخواست کرده بود آن را لغو کرد.",
      .replaced: "ورود دیگری از همین حساب جای آن را گرفت.",
      .timedOut: "زمان این ورود به پایان رسید.",
      .ended: "برنامه‌ای که ورود را درخواست کرده بود به پایان رسیده است.",
      .anotherUser: "کاربری غیر از صاحب این حساب وارد شد.",
      .refused: "ارائه‌دهنده ورود را رد کرد.",
      .unreachable: "دسترسی به ارائه‌دهنده ممکن نشد.",
      .untrusted: "پاسخ ارائه‌دهنده در یک بررسی امنیتی رد شد.",
      .notKept: "ورود روی این رایانه ذخیره نشد.",
      .misconfigured: "تنظیمات برنامه برای این ارائه‌دهنده نادرست است.",
      .unknown: "ورود به پایان نرسید.",
    ]
  )
}
