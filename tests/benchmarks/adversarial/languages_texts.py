"""Short texts in Japanese, German and Arabic, written for this benchmark."""

JAPANESE: tuple[str, ...] = (
    "市の図書館は1987年に開館した。現在は約12万冊の本を所蔵している。日曜日は午後5時に閉まるので、夜は利用できない。貸し出しは一人5冊までである。",
    "この薬は食後に飲んでください。子どもには飲ませることができません。「一日三回」と書かれていても、眠いときは運転しないでください。副作用は全体の2パーセントに見られた。",
    "東京から北へ120キロのところに小さな町がある。夏は涼しく、冬は雪が多い。観光客は2015年から三割増えた。しかし、町の人口は減った。",
    "新しい橋は来年の春に完成する予定である。工事費は約45億円で、市がすべて負担する。反対する住民もいたが、計画は変更されなかった。市長は「安全を第一に考えた」と述べた。",
    "研究者は30人の教師に話を聞いた。その結果、宿題を減らした学校では成績が下がらなかったことが分かった。ただし、一部の学校では差が見られなかった。調査はまだ終わっていない。",
    "駅前の古い映画館は1962年に建てられた。三年前に閉館したが、建物は取り壊されなかった。今では若い人が集まる喫茶店になっている。入場は無料である。",
    "海の水温は過去50年で1.2度上がった。専門家は、魚の数が減ったのはそのためかもしれないと言う。漁師の多くは漁を続けることができない。支援はほとんどなかった。",
    "この博物館には約800点の絵がある。写真を撮ることはできないが、絵を描くことはできる。館内では飲食をしないでください。入館料は大人600円である。",
    "父は毎朝6時に起きて、海まで歩く。雨の日でも決して休まない。「歩かないと体が動かない」と父は笑う。母は一緒に行かないが、朝食を作って待っている。",
    "会社は去年の利益を公開した。売上は前の年より8パーセント高いが、利益は低い。社長は「値段を上げる予定はありません」と説明した。社員は必ず研修を受ける。",
    "山の道は11月から3月まで通ることができない。雪が深く、除雪は行われない。登山者は少なくとも二日分の食料を持つ必要がある。電話はほとんど通じない。",
    "病院の予約は電話ではできません。受付は午前8時から始まる。保険証を忘れると、全額を払うことになるかもしれない。検査の結果は三日後に分かる。",
    "その小説は1935年に書かれたが、長い間未公開だった。作者は出版を望まなかったと言われている。原稿は友人の家で見つかった。内容の一部は今も非公開である。",
    "試験では辞書を使うことができる。ただし、電話を机の上に置いてはいけない。遅れて来た人は、30分以上たつと入ることができない。結果は十日以内に送られる。",
)

GERMAN: tuple[str, ...] = (
    "Die Brücke wurde 1934 gebaut und hatte damals nur eine Fahrspur. Nach dem Hochwasser musste sie drei Jahre lang gesperrt bleiben. Der Bürgermeister sagte: „Ohne diese Straße kann das Dorf nicht leben.“ Heute fahren täglich etwa 4500 Autos über den Fluss.",
    "Das Museum konnte im Sommer keine neuen Gäste aufnehmen. Alle Führungen wurden abgesagt, weil das Dach nicht dicht war. Die Stadt würde den Umbau gern bezahlen, aber das Geld fehlt. Mindestens 2,4 Millionen Euro wären nötig.",
    "Der Antrag ist unzulässig, wenn er nach dem 31. März eingeht. Die Behörde muss innerhalb von vier Wochen antworten. Eine Begründung ist nicht erforderlich. Gebühren werden nur bei einer Ablehnung erhoben.",
    "Viele Schüler hätten gern mehr Zeit für die Prüfung gehabt. Der Lehrer war schon um sieben Uhr in der Schule. Niemand durfte den Raum vor zehn Uhr verlassen. Die meisten Aufgaben waren leicht zu lösen.",
    "Die Firma will junge Bauern fördern und ihnen Maschinen leihen. Im ersten Jahr kostet das nichts. Danach zahlen sie höchstens 5,5 Prozent Zinsen. Wer kündigt, muss die Geräte und Schlüssel zurückgeben.",
    "Seine Mutter arbeitete über zwanzig Jahre in einer Bäckerei. Sie war nie krank und kam immer zu Fuß. „Das war eine schöne Zeit“, sagte sie später. Ihr Bruder hingegen konnte den Geruch von Brot kaum ertragen.",
    "Im Jahr 2011 hatte die Gemeinde 812 Einwohner. Zehn Jahre später waren es weniger als 700. Die Schule wurde geschlossen, obwohl die Eltern das nicht wollten. Eine Lösung ist nicht in Sicht.",
    "Das Medikament darf nicht mit Alkohol eingenommen werden. Kinder unter zwölf Jahren erhalten die halbe Dosis, also 250 mg. Fast alle Patienten vertrugen es gut. Über schwere Nebenwirkungen wurde nichts bekannt.",
    "Der Zug nach Süden fährt täglich um 6:15 Uhr ab. Im Winter könnte es wegen Schnee zu Verspätungen kommen. Fahrkarten sind ohne Aufpreis bis zu 60 Tage gültig. Fahrräder müssen vorher angemeldet werden.",
    "Die Forscher fanden keinen Zusammenhang zwischen Größe und Gewicht der Vögel. Die Proben wurden vor dem Versuch gewogen. Das Ergebnis war vermutlich nur Zufall. Weitere Messungen sollen im Mai beginnen.",
    "Der Verein fordert mehr Plätze für Rad und Fußgänger. Die Verwaltung hält das für unmöglich. In der Straße am Schloss dürfen seit 1998 keine Lastwagen parken. Oft stehen dort trotzdem zwei oder drei.",
    "Ihre Großmutter erzählte oft von der Flucht über die Grenze. Sie besaß nichts außer einem Koffer und einer Decke. Weder Brot noch Geld hatte sie bei sich. Ein Fremder half ihr ohne ein Wort.",
    "Die Mieter können die Heizung nicht selbst regeln. Der Vermieter wäre dazu bereit, die Anlage zu tauschen. Das würde rund 18000 Euro kosten. Die Maße der alten Rohre sind unbekannt.",
    "Nach dem Gesetz müssen alle Betriebe die Zahlen melden. Wer das nicht tut, zahlt eine Buße. Im letzten Jahr waren es angeblich 37 Fälle. Das Amt wollte sich dazu nicht äußern.",
)

ARABIC: tuple[str, ...] = (
    "افتتحت المكتبة العامة عام 1987، وهي تضم نحو 12000 كتاب. لا تفتح المكتبة أبوابها يوم الجمعة. يستطيع كل زائر أن يستعير خمسة كتب فقط.",
    "قال الوزير: «لن نرفع أسعار الخبز هذا العام». لكن التجار لم يقبلوا القرار. ارتفعت الأسعار بعد ذلك في معظم المدن.",
    "يجب أن يؤخذ هذا الدواء بعد الطعام. لا يعطى الدواء للأطفال دون استشارة الطبيب. الجرعة اليومية 250 ملغ، ولا يجوز أكثر من ذلك.",
    "بني الجسر القديم قبل ثلاثة قرون، ولم يرمم منذ عام 1956. تمر فوق الجسر نحو 400 سيارة كل يوم. ليس هناك طريق آخر إلى القرية.",
    "وجد الباحثون أن بعض النباتات لا تحتاج إلى ماء كثير. استمرت التجربة أربعة أشهر في بيت زجاجي. النتائج غير نهائية، وقد تتغير بعد الصيف.",
    "كان جدي يعمل في الميناء منذ شبابه. لم يغب عن عمله يوما واحدا، ولم يشتك من التعب. كان غالبا يعود إلى البيت بعد المغرب.",
    "انخفض عدد سكان القرية من 900 إلى 640 خلال عشرة أعوام. هاجر معظم الشباب إلى المدن الكبيرة. لم تبق في القرية سوى مدرسة واحدة.",
    "تبدأ الدراسة في شهر سبتمبر وتنتهي قبل نهاية يونيو. ليست الاختبارات صعبة، لكنها طويلة. هل يسمح للطلاب باستخدام الكتب؟ لا يسمح بذلك إلا في السنة الأولى.",
    "أعلنت الشركة أن أرباحها زادت بنسبة 7 في المئة. مع ذلك، لن توظف الشركة عمالا جددا. قال المدير: «ليس لدينا خطط أخرى».",
    "يقع المتحف في وسط المدينة بجانب السوق القديم. جميع الغرف مفتوحة للزوار دون مقابل. التصوير غير مسموح به داخل القاعات.",
    "وصل القطار الأول بعد منتصف الليل بسبب العاصفة. لم يصب أحد من الركاب، لكن 3 عربات تضررت. قد يستغرق إصلاح السكة خمس أسابيع.",
    "كتبت الرواية عام 1935 ولم تنشر إلا بعد وفاة الكاتب. لا يعرف أحد مكان النسخة الأولى. ربما ضاعت أثناء الحرب.",
)
