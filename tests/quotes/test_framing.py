"""What the sentence around a quote does to it."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from citeguard.quotes.framing import find_framing
from hostile import hostile
from rows import each_row

CLIPS, PARTS = ((Path(__file__).parent / f"{name}.txt").read_text() for name in ("clips", "parts"))

# By language: a kind, then sentences in which the quote is in double square brackets.
FRAMED = """
en
denied | It is false that [[the drug is safe for children]].
denied | No study has shown that [[the drug is safe for children]].
attributed | The company claims that [[the drug is safe for children]].
attributed | [[The drug is safe for children]], according to the company.
conditional | If [[the drug is safe for children]], it will be sold.
conditional | [[The drug is safe for children]], provided that it is kept cool.
asked | Doctors wonder whether [[the drug is safe for children]].
asked | Is it true that [[the drug is safe for children]]?
denied | It is not true that [[the drug is safe]].
denied | There is no evidence that [[the drug is safe]].
denied | Experts rejected the claim that [[the drug is safe]].
denied | Contrary to reports that [[the drug is safe]], it was banned.
denied | He doubts that [[the drug is safe]].
denied | “[[The drug is safe]]” is false.
denied | The claim that [[the drug is safe]] was refuted.
denied | That [[the drug is safe]] has been debunked.
denied | The study failed to show that [[the drug is safe]].
denied | He never said [[the drug is safe]].
denied | It was not [[approved by the board]].
asked | It is not clear whether [[the drug is safe]].
conditional | Suppose that [[the cable snaps under load]]; then the winch spins freely.
attributed | Legend has it that [[the monks buried the gold beneath the altar]].
denied | It was not until later disproved that [[the comet would strike the Earth]].
asked | Does anyone believe that [[the council will repay the loan]]?
de
denied | Es ist falsch, dass [[das Mittel für Kinder sicher ist]].
denied | [[Das Mittel ist für Kinder sicher]], ist ein Mythos.
attributed | Der Hersteller behauptet, dass [[das Mittel für Kinder sicher ist]].
attributed | [[Das Mittel ist für Kinder sicher]], sagte der Sprecher.
conditional | Falls [[das Mittel für Kinder sicher ist]], wird es verkauft.
conditional | [[Das Mittel ist für Kinder sicher]], sofern man es kühl lagert.
asked | Die Ärzte fragen sich, ob [[das Mittel für Kinder sicher ist]].
asked | Stimmt es, dass [[das Mittel für Kinder sicher ist]]?
conditional | Nehmen wir an, [[der Wert sinkt unter zwei Volt]].
attributed | Kritiker werfen der Behörde vor, [[die Zahlen seien geschönt]].
denied | Die Behauptung, [[die Mondlandung sei im Studio gedreht worden]], ist längst widerlegt.
asked | Warum sollte man glauben, [[die Preise fallen wieder]]?
fr
denied | Il est faux que [[le médicament soit sans danger pour les enfants]].
denied | Personne n'a prouvé que [[le médicament est sans danger pour les enfants]].
attributed | Le fabricant affirme que [[le médicament est sans danger pour les enfants]].
attributed | Selon le fabricant, [[le médicament est sans danger pour les enfants]].
conditional | Si [[le médicament est sans danger pour les enfants]], il sera vendu.
conditional | [[Le médicament est sans danger pour les enfants]], à condition de le garder au frais.
asked | Les médecins se demandent si [[le médicament est sans danger pour les enfants]].
asked | Est-il vrai que [[le médicament est sans danger pour les enfants]] ?
conditional | Supposons que [[la corde se rompe sous la charge]].
attributed | La légende veut que [[les moines aient enterré l'or sous l'autel]].
denied | L'idée selon laquelle [[le café déshydrate le corps]] est un mythe.
asked | Faut-il [[craindre une hausse des loyers cette année]] ?
es
denied | Es falso que [[el medicamento sea seguro para los niños]].
denied | Nadie ha demostrado que [[el medicamento es seguro para los niños]].
attributed | El fabricante afirma que [[el medicamento es seguro para los niños]].
attributed | [[El medicamento es seguro para los niños]], dijo el portavoz.
conditional | Si [[el medicamento es seguro para los niños]], se venderá.
conditional | [[El medicamento es seguro para los niños]], siempre que se guarde en frío.
asked | Los médicos se preguntan si [[el medicamento es seguro para los niños]].
asked | ¿Es cierto que [[el medicamento es seguro para los niños]]?
conditional | Supongamos que [[el cable se rompe bajo la carga]].
attributed | Cuenta la leyenda que [[los monjes enterraron el oro bajo el altar]].
denied | La idea de que [[el café deshidrata el cuerpo]] es un mito.
asked | ¿Debemos [[temer una subida de los alquileres]]?
it
denied | È falso che [[il farmaco sia sicuro per i bambini]].
denied | Nessuno ha dimostrato che [[il farmaco è sicuro per i bambini]].
attributed | Il produttore sostiene che [[il farmaco è sicuro per i bambini]].
attributed | Secondo il produttore, [[il farmaco è sicuro per i bambini]].
conditional | Se [[il farmaco è sicuro per i bambini]], sarà venduto.
conditional | [[Il farmaco è sicuro per i bambini]], purché si conservi al fresco.
asked | I medici si chiedono se [[il farmaco è sicuro per i bambini]].
asked | È vero che [[il farmaco è sicuro per i bambini]]?
conditional | Supponiamo che [[il cavo si spezzi sotto il carico]].
attributed | [[Il ministro sapeva dei pagamenti]], hanno dichiarato due consiglieri.
denied | L'idea che [[il caffè disidrati il corpo]] è un mito.
asked | Non è chiaro se [[la lettera sia autentica]].
pt
denied | É falso que [[o remédio seja seguro para as crianças]].
denied | Ninguém provou que [[o remédio é seguro para as crianças]].
attributed | O fabricante afirma que [[o remédio é seguro para as crianças]].
attributed | [[O remédio é seguro para as crianças]], disse o porta-voz.
conditional | Se [[o remédio é seguro para as crianças]], será vendido.
conditional | [[O remédio é seguro para as crianças]], desde que seja guardado no frio.
asked | Os médicos perguntam se [[o remédio é seguro para as crianças]].
asked | É verdade que [[o remédio é seguro para as crianças]]?
conditional | Suponhamos que [[o cabo se rompa sob a carga]].
attributed | Reza a lenda que [[os monges enterraram o ouro sob o altar]].
denied | A ideia de que [[o café desidrata o corpo]] é um mito.
asked | Será que [[os preços vão subir no inverno]]?
nl
denied | Het is onwaar dat [[het middel veilig is voor kinderen]].
denied | Niemand heeft bewezen dat [[het middel veilig is voor kinderen]].
attributed | De fabrikant beweert dat [[het middel veilig is voor kinderen]].
attributed | [[Het middel is veilig voor kinderen]], zei de woordvoerder.
conditional | Als [[het middel veilig is voor kinderen]], wordt het verkocht.
conditional | [[Het middel is veilig voor kinderen]], mits het koel bewaard wordt.
asked | Artsen vragen zich af of [[het middel veilig is voor kinderen]].
asked | Klopt het dat [[het middel veilig is voor kinderen]]?
conditional | Stel dat [[de kabel onder belasting breekt]].
attributed | Volgens de overlevering [[begroeven de monniken het goud onder het altaar]].
denied | Het idee dat [[koffie het lichaam uitdroogt]] is een mythe.
asked | Moeten we [[een stijging van de huren vrezen]]?
ro
denied | Este fals că [[medicamentul este sigur pentru copii]].
denied | Nimeni nu a dovedit că [[medicamentul este sigur pentru copii]].
attributed | Producătorul susține că [[medicamentul este sigur pentru copii]].
attributed | Potrivit producătorului, [[medicamentul este sigur pentru copii]].
conditional | Dacă [[medicamentul este sigur pentru copii]], va fi vândut.
conditional | [[Medicamentul este sigur pentru copii]], cu condiția să fie ținut la rece.
asked | Medicii se întreabă dacă [[medicamentul este sigur pentru copii]].
asked | Este adevărat că [[medicamentul este sigur pentru copii]]?
conditional | Să presupunem că [[se rupe cablul sub sarcină]].
attributed | Legenda spune că [[călugării au îngropat aurul sub altar]].
denied | Ideea că [[cafeaua deshidratează corpul]] este un mit.
asked | Trebuie oare să [[ne temem de o creștere a chiriilor]]?
pl
denied | Nieprawdą jest, że [[lek jest bezpieczny dla dzieci]].
denied | Nikt nie udowodnił, że [[lek jest bezpieczny dla dzieci]].
attributed | Producent twierdzi, że [[lek jest bezpieczny dla dzieci]].
attributed | [[Lek jest bezpieczny dla dzieci]], powiedział rzecznik.
conditional | Jeśli [[lek jest bezpieczny dla dzieci]], trafi do sprzedaży.
conditional | [[Lek jest bezpieczny dla dzieci]], pod warunkiem że jest trzymany w chłodzie.
asked | Lekarze pytają, czy [[lek jest bezpieczny dla dzieci]].
asked | Czy to prawda, że [[lek jest bezpieczny dla dzieci]]?
conditional | Załóżmy, że [[lina pęknie pod obciążeniem]].
attributed | Legenda głosi, że [[mnisi zakopali złoto pod ołtarzem]].
denied | Twierdzenie, że [[kawa odwadnia organizm]], jest mitem.
asked | Czy należy [[obawiać się wzrostu cen zimą]]?
ru
denied | Неправда, что [[препарат безопасен для детей]].
denied | Никто не доказал, что [[препарат безопасен для детей]].
attributed | Производитель утверждает, что [[препарат безопасен для детей]].
attributed | [[Препарат безопасен для детей]], сказал представитель.
conditional | Если [[препарат безопасен для детей]], его будут продавать.
conditional | [[Препарат безопасен для детей]], при условии что его хранят в холоде.
asked | Неизвестно, безопасен ли [[препарат для детей и подростков]].
asked | Правда ли, что [[препарат безопасен для детей]]?
conditional | Предположим, что [[трос оборвётся под нагрузкой]].
attributed | Легенда гласит, что [[монахи зарыли золото под алтарём]].
denied | Утверждение, что [[кофе обезвоживает организм]], не соответствует действительности.
asked | Стоит ли [[опасаться роста цен этой зимой]]?
uk
denied | Неправда, що [[препарат безпечний для дітей]].
denied | [[Препарат безпечний для дітей]] — це міф.
attributed | Виробник стверджує, що [[препарат безпечний для дітей]].
attributed | За словами виробника, [[препарат безпечний для дітей]].
conditional | Якщо [[препарат безпечний для дітей]], його продаватимуть.
conditional | [[Препарат безпечний для дітей]], за умови що його тримають у холоді.
asked | Невідомо, чи [[препарат безпечний для дітей]].
asked | Чи правда, що [[препарат безпечний для дітей]]?
conditional | Припустімо, що [[трос обірветься під навантаженням]].
attributed | Легенда розповідає, що [[ченці закопали золото під вівтарем]].
denied | Твердження, що [[кава зневоднює організм]], не відповідає дійсності.
asked | Чи варто [[боятися зростання цін узимку]]?
el
denied | Είναι ψευδές ότι [[το φάρμακο είναι ασφαλές για τα παιδιά]].
denied | Κανείς δεν απέδειξε ότι [[το φάρμακο είναι ασφαλές για τα παιδιά]].
attributed | Η εταιρεία ισχυρίζεται ότι [[το φάρμακο είναι ασφαλές για τα παιδιά]].
attributed | Σύμφωνα με την εταιρεία, [[το φάρμακο είναι ασφαλές για τα παιδιά]].
conditional | Αν [[το φάρμακο είναι ασφαλές για τα παιδιά]], θα πωληθεί.
conditional | [[Το φάρμακο είναι ασφαλές για τα παιδιά]], εφόσον φυλάσσεται στο ψυγείο.
asked | Οι γιατροί αναρωτιούνται αν [[το φάρμακο είναι ασφαλές για τα παιδιά]].
asked | Είναι αλήθεια ότι [[το φάρμακο είναι ασφαλές για τα παιδιά]];
conditional | Ας υποθέσουμε ότι [[το καλώδιο σπάει υπό φορτίο]].
attributed | Ο θρύλος λέει ότι [[οι μοναχοί έθαψαν τον χρυσό κάτω από την Αγία Τράπεζα]].
denied | Ο ισχυρισμός ότι [[η γρίπη θεραπεύεται με αντιβιοτικά]] δεν ευσταθεί.
asked | Πρέπει να [[φοβόμαστε αύξηση των ενοικίων]];
tr
denied | [[İlacın çocuklar için güvenli olduğu]] iddiası doğru değildir.
denied | [[İlacın çocuklar için güvenli olduğu]] bir efsanedir.
attributed | [[İlacın çocuklar için güvenli olduğunu]] iddia ediyor üretici.
attributed | Üreticiye göre, [[ilaç çocuklar için güvenlidir]].
conditional | Eğer [[ilaç çocuklar için güvenli ise]], satışa çıkacak.
conditional | [[İlaç çocuklar için güvenlidir]], soğukta saklanması şartıyla.
asked | [[İlacın çocuklar için güvenli]] olup olmadığı araştırılıyor.
asked | [[İlaç çocuklar için güvenli]] mi?
conditional | Kuraklık sürerse [[barajlar sonbaharda tamamen boşalacak]].
attributed | Rivayete göre [[keşişler altını sunağın altına gömdü]].
denied | [[Kahvenin vücudu susuz bıraktığı]] görüşü bir efsanedir.
asked | Kışın [[kira fiyatları artacak]] mı?
ar
denied | ليس صحيحا أن [[الدواء آمن للأطفال]].
denied | لم يثبت أحد أن [[الدواء آمن للأطفال]].
attributed | تزعم الشركة أن [[الدواء آمن للأطفال]].
attributed | وفقا للشركة، [[الدواء آمن للأطفال]].
conditional | إذا [[كان الدواء آمنا للأطفال]] فسوف يباع.
conditional | [[الدواء آمن للأطفال]] بشرط أن يحفظ باردا.
asked | يتساءل الأطباء هل [[الدواء آمن للأطفال]].
asked | هل صحيح أن [[الدواء آمن للأطفال]]؟
conditional | لنفترض أن [[الحبل انقطع تحت الحمل]].
attributed | تقول الأسطورة إن [[الرهبان دفنوا الذهب تحت المذبح]].
denied | الادعاء بأن [[القهوة تجفف الجسم]] لا أساس له من الصحة.
asked | هل ينبغي أن [[نخشى ارتفاع الإيجارات هذا الشتاء]]؟
hi
denied | यह सच नहीं है कि [[दवा बच्चों के लिए सुरक्षित है]]।
denied | [[दवा बच्चों के लिए सुरक्षित है]], यह झूठ है।
attributed | कंपनी का दावा है कि [[दवा बच्चों के लिए सुरक्षित है]]।
attributed | कंपनी के अनुसार, [[दवा बच्चों के लिए सुरक्षित है]]।
conditional | अगर [[दवा बच्चों के लिए सुरक्षित है]] तो वह बिकेगी।
conditional | [[दवा बच्चों के लिए सुरक्षित है]], बशर्ते वह ठंडी रखी जाए।
asked | डॉक्टर पूछते हैं कि क्या [[दवा बच्चों के लिए सुरक्षित है]]।
asked | क्या यह सच है कि [[दवा बच्चों के लिए सुरक्षित है]]?
conditional | मान लीजिए कि [[रस्सी भार के नीचे टूट जाती है]]।
attributed | किंवदंती है कि [[भिक्षुओं ने सोना वेदी के नीचे गाड़ दिया]]।
denied | यह दावा कि [[कॉफ़ी शरीर को निर्जल करती है]] निराधार है।
asked | क्या [[इस सर्दी में किराए बढ़ेंगे]]?
vi
denied | Không đúng là [[thuốc này an toàn cho trẻ em]].
denied | Chưa ai chứng minh rằng [[thuốc này an toàn cho trẻ em]].
attributed | Công ty tuyên bố rằng [[thuốc này an toàn cho trẻ em]].
attributed | Theo công ty, [[thuốc này an toàn cho trẻ em]].
conditional | Nếu [[thuốc này an toàn cho trẻ em]], nó sẽ được bán.
conditional | [[Thuốc này an toàn cho trẻ em]], với điều kiện được giữ lạnh.
asked | Các bác sĩ tự hỏi liệu [[thuốc này an toàn cho trẻ em]].
asked | Có đúng là [[thuốc này an toàn cho trẻ em]] không?
conditional | Giả sử [[sợi cáp đứt khi chịu tải]].
attributed | Tương truyền rằng [[các nhà sư chôn vàng dưới bàn thờ]].
denied | Quan niệm cho rằng [[cà phê làm cơ thể mất nước]] là sai lầm.
asked | [[Giá thuê nhà sẽ tăng vào mùa đông]] phải không?
th
denied | ไม่เป็นความจริงที่ว่า[[ยานี้ปลอดภัยสำหรับเด็ก]]
denied | [[ยานี้ปลอดภัยสำหรับเด็ก]]เป็นความเชื่อผิด
attributed | บริษัทอ้างว่า[[ยานี้ปลอดภัยสำหรับเด็ก]]
attributed | ตามรายงานของบริษัท [[ยานี้ปลอดภัยสำหรับเด็ก]]
conditional | ถ้า[[ยานี้ปลอดภัยสำหรับเด็ก]] ก็จะวางขาย
conditional | [[ยานี้ปลอดภัยสำหรับเด็ก]]หากเก็บในที่เย็น
asked | [[ยานี้ปลอดภัยสำหรับเด็ก]]หรือไม่
asked | แพทย์สงสัยว่า[[ยานี้ปลอดภัยสำหรับเด็ก]]หรือเปล่า
conditional | สมมติว่า [[สายเคเบิลขาดขณะรับน้ำหนัก]]
attributed | มีรายงานว่า [[รัฐมนตรีรู้เรื่องการจ่ายเงิน]]
denied | ความเชื่อที่ว่า [[กาแฟทำให้ร่างกายขาดน้ำ]] เป็นเรื่องเข้าใจผิด
asked | [[ค่าเช่าจะขึ้นในฤดูหนาวนี้]]หรือไม่
zh
denied | 没有证据表明[[这种药对儿童是安全的]]。
denied | [[这种药对儿童是安全的]]是谣言。
attributed | 公司声称[[这种药对儿童是安全的]]。
attributed | 据公司说，[[这种药对儿童是安全的]]。
conditional | 如果[[这种药对儿童是安全的]]，就会出售。
conditional | [[这种药对儿童是安全的]]，前提是冷藏。
asked | 医生想知道是否[[这种药对儿童是安全的]]。
asked | [[这种药对儿童是安全的]]吗？
conditional | 假设[[钢缆在负荷下断裂]]，绞车就会空转。
attributed | 相传[[僧人们把黄金埋在祭坛之下]]。
denied | [[咖啡会使身体脱水]]的观点是一种误解。
asked | [[今年冬天房租会上涨]]吗？
ja
denied | [[この薬は子供に安全だ]]という証拠はない。
denied | [[この薬は子供に安全だ]]というのは嘘だ。
attributed | 会社は[[この薬は子供に安全だ]]と主張している。
attributed | 会社によると、[[この薬は子供に安全だ]]。
conditional | もし[[この薬が子供に安全]]なら、販売される。
conditional | [[この薬は子供に安全だ]]が条件付きで、冷やせばの話だ。
asked | [[この薬が子供に安全]]かどうかは不明だ。
asked | [[この薬は子供に安全です]]か？
conditional | もし干ばつが続けば、[[ダムは秋までに空になる]]。
attributed | 伝説によれば、[[修道士たちは祭壇の下に黄金を埋めた]]。
denied | [[統計が改ざんされた]]との指摘は当たらない。
asked | [[今年の冬は家賃が上がる]]のだろうか。
ko
denied | [[이 약이 어린이에게 안전하다는]] 증거는 없다.
denied | [[이 약이 어린이에게 안전하다는]] 주장은 사실이 아니다.
attributed | 회사는 [[이 약이 어린이에게 안전하다고]] 주장했다.
attributed | 회사에 따르면, [[이 약은 어린이에게 안전하다]].
conditional | 만약 [[이 약이 어린이에게 안전하다면]], 판매될 것이다.
conditional | [[이 약은 어린이에게 안전하다]], 만일 차갑게 보관한다면.
asked | [[이 약이 어린이에게 안전한지]] 여부는 불분명하다.
asked | 정말 [[이 약이 어린이에게 안전합니까]]?
conditional | 가뭄이 계속되면 [[댐은 가을까지 완전히 마를 것이다]].
attributed | 전설에 따르면 [[수도사들은 제단 아래에 금을 묻었다]].
denied | [[커피가 몸의 수분을 빼앗는다]]는 것은 잘못된 상식이다.
asked | [[올겨울 집세가 오를]] 것인가?
"""

# By language: parts of sentences that say what their sentence says.
HARMLESS = """
de | Der [[neue Hafen der Stadt]] wurde im Mai eröffnet.
de | Das Museum, das 1901 gebaut wurde, [[zeigt Bilder aus drei Jahrhunderten]].
de | Im Jahr 1990 [[hatte die Stadt etwa 20.000 Einwohner]].
de | Die Firma verkaufte das Werk, weil [[die Kosten gestiegen waren]].
de | [[Die Fabrik schließt im Herbst]], und 300 Arbeiter verlieren ihre Stelle.
fr | Le [[nouveau port de la ville]] a été ouvert en mai.
fr | Le musée, construit en 1901, [[expose des tableaux de trois siècles]].
fr | L'usine a été vendue parce que [[les coûts avaient augmenté]].
fr | [[L'usine ferme à l'automne]] et 300 ouvriers perdent leur emploi.
fr | En 1990, [[la ville comptait 20 000 habitants]].
es | El [[nuevo puerto de la ciudad]] se abrió en mayo.
es | El museo, construido en 1901, [[expone cuadros de tres siglos]].
es | La fábrica se vendió porque [[los costes habían subido]].
es | [[La fábrica cierra en otoño]] y 300 obreros pierden su empleo.
es | En 1990 [[la ciudad tenía 20.000 habitantes]].
it | Il [[nuovo porto della città]] è stato aperto a maggio.
it | Il museo, costruito nel 1901, [[espone quadri di tre secoli]].
it | La fabbrica fu venduta perché [[i costi erano aumentati]].
it | [[La fabbrica chiude in autunno]] e 300 operai perdono il posto.
it | Nel 1990 [[la città contava 20.000 abitanti]].
pt | O [[novo porto da cidade]] foi aberto em maio.
pt | O museu, construído em 1901, [[expõe quadros de três séculos]].
pt | A fábrica foi vendida porque [[os custos tinham subido]].
pt | [[A fábrica fecha no outono]] e 300 operários perdem o emprego.
pt | A cidade se tornou rica quando [[o porto abriu em maio]].
nl | De [[nieuwe haven van de stad]] werd in mei geopend.
nl | Het museum, gebouwd in 1901, [[toont schilderijen uit drie eeuwen]].
nl | De fabriek werd verkocht omdat [[de kosten waren gestegen]].
nl | [[De fabriek sluit in de herfst]] en 300 arbeiders verliezen hun baan.
nl | In 1990 [[had de stad 20.000 inwoners]].
ro | Noul [[port al orașului]] a fost deschis în mai.
ro | Muzeul, construit în 1901, [[expune tablouri din trei secole]].
ro | Fabrica a fost vândută pentru că [[costurile crescuseră mult]].
ro | [[Fabrica se închide la toamnă]] și 300 de muncitori își pierd slujba.
ro | În 1990, [[orașul avea 20.000 de locuitori]].
pl | Nowy [[port w tym mieście]] otwarto w maju.
pl | Muzeum, zbudowane w 1901 roku, [[pokazuje obrazy z trzech wieków]].
pl | Fabrykę sprzedano, ponieważ [[koszty wzrosły o połowę]].
pl | [[Fabryka zostanie zamknięta jesienią]], a 300 robotników straci pracę.
pl | W 1990 roku [[miasto miało 20 000 mieszkańców]].
ru | Новый [[порт города и его причалы]] открыли в мае.
ru | Музей, построенный в 1901 году, [[показывает картины трёх веков]].
ru | Завод продали, потому что [[расходы сильно выросли]].
ru | [[Завод закроют осенью]], и 300 рабочих потеряют работу.
ru | В 1990 году [[в городе жило 20 000 человек]].
uk | Новий [[порт міста та його причали]] відкрили у травні.
uk | Музей, збудований 1901 року, [[показує картини трьох століть]].
uk | Завод продали, тому що [[витрати сильно зросли]].
uk | [[Завод закриють восени]], і 300 робітників втратять роботу.
uk | У 1990 році [[у місті жило 20 000 людей]].
el | Το [[νέο λιμάνι της πόλης]] άνοιξε τον Μάιο.
el | Το μουσείο, που χτίστηκε το 1901, [[εκθέτει πίνακες τριών αιώνων]].
el | Το εργοστάσιο πουλήθηκε επειδή [[τα έξοδα είχαν αυξηθεί]].
el | [[Το εργοστάσιο κλείνει το φθινόπωρο]] και 300 εργάτες χάνουν τη δουλειά τους.
el | Το 1990 [[η πόλη είχε 20.000 κατοίκους]].
tr | Şehrin [[yeni limanı mayıs ayında]] açıldı.
tr | 1901'de yapılan müze [[üç yüzyılın tablolarını sergiliyor]] ve gelişiyor.
tr | Maliyetler arttığı için [[fabrika geçen yıl satıldı]].
tr | [[Fabrika sonbaharda kapanıyor]] ve 300 işçi işini kaybediyor.
tr | 1990 yılında [[şehrin nüfusu 20.000 kişiydi]].
ar | افتتح [[ميناء المدينة الجديد]] في مايو.
ar | المتحف الذي بني عام 1901 [[يعرض لوحات من ثلاثة قرون]].
ar | بيع المصنع لأن [[التكاليف ارتفعت كثيرا]].
ar | [[سيغلق المصنع في الخريف]] وسيفقد 300 عامل وظائفهم.
ar | في عام 1990 [[كان عدد سكان المدينة عشرين ألفا]].
hi | शहर का [[नया बंदरगाह मई में]] खुला।
hi | 1901 में बना संग्रहालय [[तीन सदियों के चित्र]] दिखाता है।
hi | कारखाना बेचा गया क्योंकि [[लागत बहुत बढ़ गई थी]]।
hi | [[कारखाना पतझड़ में बंद होगा]] और 300 मजदूर बेरोजगार होंगे।
hi | 1990 में [[शहर की आबादी बीस हजार थी]]।
vi | Cảng [[mới của thành phố]] được mở vào tháng Năm.
vi | Bảo tàng xây năm 1901 [[trưng bày tranh của ba thế kỷ]].
vi | Nhà máy bị bán vì [[chi phí đã tăng cao]].
vi | [[Nhà máy đóng cửa vào mùa thu]] và 300 công nhân mất việc.
vi | Năm 1990, [[thành phố có 20.000 dân]].
th | [[ท่าเรือใหม่ของเมือง]]เปิดในเดือนพฤษภาคม
th | พิพิธภัณฑ์ที่สร้างในปี 1901 [[แสดงภาพวาดจากสามศตวรรษ]]
th | โรงงานถูกขายเพราะ[[ต้นทุนสูงขึ้นมาก]]
th | [[โรงงานจะปิดในฤดูใบไม้ร่วง]]และคนงาน 300 คนจะตกงาน
th | ในปี 1990 [[เมืองนี้มีประชากรสองหมื่นคน]]
zh | 这座城市的[[新港口于五月开放]]，游客很多。
zh | 建于1901年的博物馆[[展出三个世纪的画作]]。
zh | 工厂被卖掉，因为[[成本上升了很多]]。
zh | [[工厂将在秋天关闭]]，三百名工人将失去工作。
zh | 1990年，[[该市有两万居民]]。
ja | 市の[[新しい港は五月に]]開かれた。
ja | 1901年に建てられた博物館は[[三世紀の絵画を展示]]している。
ja | [[費用が大きく上がった]]ため、工場は売却された。
ja | [[工場は秋に閉鎖され]]、三百人の労働者が職を失う。
ja | 1990年、[[市の人口は二万人だった]]。
ko | 도시의 [[새 항구는 오월에]] 열렸다.
ko | 1901년에 지어진 박물관은 [[세 세기의 그림을]] 전시한다.
ko | [[비용이 크게 올랐기]] 때문에 공장이 팔렸다.
ko | [[공장은 가을에 문을 닫고]] 노동자 300명이 일자리를 잃는다.
ko | 1990년에 [[도시의 인구는 이만 명이었다]].
en | The [[new port of the city]] was opened in May.
en | The museum, which was built in 1901, [[shows paintings of three centuries]].
en | Nobody doubts that [[the drug is safe for children]].
en | It cannot be denied that [[the drug is safe for children]].
en | Not only is it cheap, but [[the drug is safe for children]].
en | It was not cheap, and [[it was sold all over the country]].
en | In the United States [[the drug was sold in every city]].
en | Nobody was hurt, but [[the roof of the station collapsed]].
en | He said little at dinner, and [[the guests left before ten o'clock]].
de | Die Kammer wies die Klage ab, und [[der Kläger trägt die Kosten des Verfahrens]].
de | Er sagte nichts, doch [[die Gäste verließen vor zehn Uhr das Haus]].
fr | Personne ne fut blessé, mais [[le toit de la gare s'effondra]].
fr | Il parla peu à table, et [[les invités partirent avant dix heures]].
es | Nadie resultó herido, pero [[el techo de la estación se derrumbó]].
es | Habló poco en la cena, y [[los invitados se fueron antes de las diez]].
pt | Ninguém ficou ferido, mas [[o telhado da estação desabou]].
pt | Falou pouco ao jantar, e [[os convidados saíram antes das dez]].
it | Nessuno rimase ferito, ma [[il tetto della stazione crollò]].
it | Parlò poco a cena, e [[gli ospiti se ne andarono prima delle dieci]].
nl | Niemand raakte gewond, maar [[het dak van het station stortte in]].
nl | Hij zei weinig aan tafel, en [[de gasten vertrokken voor tien uur]].
ru | Никто не пострадал, но [[крыша вокзала обрушилась]].
ru | За ужином он говорил мало, и [[гости разошлись до десяти часов]].
uk | Ніхто не постраждав, але [[дах вокзалу обвалився]].
uk | За вечерею він говорив мало, і [[гості розійшлися до десятої години]].
pl | Nikt nie ucierpiał, ale [[dach dworca się zawalił]].
pl | Przy kolacji mówił mało i [[goście rozeszli się przed dziesiątą]].
ro | Nimeni nu a fost rănit, dar [[acoperișul gării s-a prăbușit]].
ro | A vorbit puțin la cină, și [[oaspeții au plecat înainte de ora zece]].
el | Κανείς δεν τραυματίστηκε, αλλά [[η στέγη του σταθμού κατέρρευσε]].
el | Μίλησε λίγο στο δείπνο και [[οι καλεσμένοι έφυγαν πριν από τις δέκα]].
tr | Kimse yaralanmadı, ama [[istasyonun çatısı çöktü]].
tr | Yemekte az konuştu ve [[misafirler saat ondan önce gitti]].
ar | لم يصب أحد، لكن [[سقف المحطة انهار بالكامل]].
ar | تكلم قليلاً على العشاء، و[[غادر الضيوف قبل العاشرة]].
hi | कोई घायल नहीं हुआ, लेकिन [[स्टेशन की छत गिर गई]]।
hi | उसने भोजन पर कम बात की और [[मेहमान दस बजे से पहले चले गए]]।
vi | Không ai bị thương, nhưng [[mái nhà ga đã sập]].
vi | Anh nói rất ít trong bữa tối và [[khách ra về trước mười giờ]].
th | ไม่มีใครบาดเจ็บ แต่[[หลังคาสถานีถล่มลงมา]]
th | เขาพูดน้อยในมื้อเย็น และ[[แขกกลับไปก่อนสิบโมง]]
zh | 没有人受伤，但[[车站的屋顶完全坍塌了]]。
zh | 他在晚餐时很少说话，[[客人们十点之前就离开了]]。
ja | けが人はいなかったが、[[駅の屋根は完全に崩れ落ちた]]。
ja | 彼は夕食の席でほとんど話さず、[[客は十時前に帰って行った]]。
ko | 다친 사람은 없었지만 [[역의 지붕은 완전히 무너졌다]].
ko | 그는 저녁 식사에서 말이 적었고 [[손님들은 열 시 전에 떠났다]].
"""


def cut(sentence: str) -> tuple[str, int, int]:
    """Return a text without its brackets, and the interval that was in them."""
    before, rest = sentence.split("[[")
    quote, after = rest.split("]]")
    return before + quote + after, len(before), len(before) + len(quote)


def rows(table: str) -> list[tuple[str, str]]:
    lines = [line.split(" | ") for line in table.splitlines() if " | " in line]
    return [(kind, sentence) for kind, sentence in lines]


class TestFindFraming:
    def test_finds_frames_in_every_language(self) -> None:
        pairs = [(row, find_framing(*cut(row[1]))) for row in rows(FRAMED)]
        wrong = [(row, found) for row, found in pairs if not found or found.kind != row[0]]
        assert not wrong

    def test_leaves_other_parts_of_sentences_alone(self) -> None:
        pairs = [(row, find_framing(*cut(row[1]))) for row in rows(HARMLESS)]
        assert not [(row, found) for row, found in pairs if found]

    def test_clips_are_framed(self) -> None:
        framed = [find_framing(*cut(sentence)) is not None for _, sentence in rows(CLIPS)]
        assert sum(framed) >= 0.97 * len(framed)

    def test_clips_are_framed_as_what_they_are(self) -> None:
        found = [(kind, find_framing(*cut(sentence))) for kind, sentence in rows(CLIPS)]
        same = [framing.kind == kind for kind, framing in found if framing]
        assert sum(same) >= 0.9 * len(same)

    def test_parts_are_not_framed(self) -> None:
        framed = [sentence for _, sentence in rows(PARTS) if find_framing(*cut(sentence))]
        assert len(framed) <= 0.015 * len(rows(PARTS))

    def test_a_clip_is_framed_if_it_begins_with_what_links_it(self) -> None:
        framing = find_framing(*cut("He doubts [[that the drug is safe]]."))
        assert framing is not None
        assert (framing.kind, framing.words) == ("denied", "He doubts that")

    @each_row(
        "text",
        [
            "Il ne fait aucun doute que [[la lettre fut écrite à Leyde]].",
            "Es gibt nicht den geringsten Zweifel, dass [[der Brief echt ist]].",
            "[[Mektubun gerçek olduğuna]] hiç şüphe yoktur.",
            "[[편지가 진짜라는]] 데는 의심의 여지가 없다.",
        ],
    )
    def test_a_denied_doubt_affirms(self, text: str) -> None:
        assert find_framing(*cut(text)) is None

    @each_row(
        ("text", "kind"),
        [
            ("In her second novel, [[the mayor burns the archive]].", "attributed"),
            ("Until then [[nobody in the village locked the door]].", "conditional"),
            ("[[Nobody in the village locked the door]] until then.", "conditional"),
            ("[[The dam is safe]], as the owner told us in a long letter last May.", "attributed"),
            ("[[The dam is safe]], stressed the owner.", "attributed"),
        ],
    )
    def test_settings_and_speakers(self, text: str, kind: str) -> None:
        framing = find_framing(*cut(text))
        assert framing is not None
        assert framing.kind == kind

    @each_row(
        "text",
        [
            "In the film industry, [[wages rose by a tenth that year]].",
            "[[A third chapel was built]], added in 1890 by the monks.",
            "The novel sold well, and [[its author bought a farm near Bath]].",
        ],
    )
    def test_what_looks_like_a_setting_or_a_speaker(self, text: str) -> None:
        assert find_framing(*cut(text)) is None

    @each_row(
        "text",
        [
            "By May [[2003 the company had moved]] to York.",
            "وقد [[بلغ عدد سكان المدينة عشرين ألفا]] عام 1990.",
            "Кроме того, [[в городе есть музей и театр]].",
            "Om boken: [[den handlar om livet på landet]] i början av seklet.",
        ],
    )
    def test_words_of_two_meanings(self, text: str) -> None:
        assert find_framing(*cut(text)) is None

    def test_whole_sentences_are_not_framed(self) -> None:
        for _, sentence in rows(FRAMED) + rows(CLIPS):
            text, _, _ = cut(sentence)
            assert find_framing(text, 0, len(text)) is None, text

    @each_row(
        "text",
        [
            "[[The drug is safe.]] This is a myth.",
            "[[The drug is safe.]] That claim has been debunked.",
            "[[El medicamento es seguro.]] Eso es falso.",
            "[[Das Mittel ist sicher.]] Das stimmt nicht.",
            "[[这种药对儿童是安全的。]]这是谣言。",
        ],
    )
    def test_the_next_sentence_may_deny(self, text: str) -> None:
        framing = find_framing(*cut(text))
        assert framing is not None
        assert framing.kind == "denied"

    @each_row(
        "text",
        [
            "[[The drug is safe.]] This is not a myth.",
            "[[The drug is safe.]] It is sold in May. This is a myth.",
            "It is false that the drug is safe. [[It is sold in every city.]]",
        ],
    )
    def test_other_sentences_do_not(self, text: str) -> None:
        assert find_framing(*cut(text)) is None

    @each_row(
        "text",
        [
            "Add salt. ¿[[Conviene añadir sal al agua]]? Pruebe.",
            "He ran. [[The council will repay the loan]]? No.",
        ],
    )
    def test_a_question_may_lose_its_mark(self, text: str) -> None:
        framing = find_framing(*cut(text))
        assert framing is not None
        assert framing.kind == "asked"

    @each_row(
        "text",
        [
            "It rained in May. 4. If the light blinks, [[the filter is full of dust]]. Clean it.",
            "Dr. Lee came at noon. If it rains, [[the match is played on Monday]]. So be it.",
        ],
    )
    def test_a_condition_is_found_wherever_its_sentence_begins(self, text: str) -> None:
        framing = find_framing(*cut(text))
        assert framing is not None
        assert framing.kind == "conditional"

    @each_row(
        "text",
        [
            "int f(void) {\n  [[return errno = EINVAL, -1;]]\n  if (n > 3) return 0;\n}",
            "[[वह तीन साल बाद घर लौट आया।]] उसे काम नहीं मिला।",
        ],
    )
    def test_what_ends_is_not_framed_from_behind(self, text: str) -> None:
        assert find_framing(*cut(text)) is None

    def test_says_where_the_words_are(self) -> None:
        text, start, end = cut("He left.  The firm\nclaims that [[the drug is safe]].")
        framing = find_framing(text, start, end)
        assert framing is not None
        assert (framing.kind, framing.words) == ("attributed", "The firm claims that")
        assert " ".join(text[slice(*framing.span)].split()) == framing.words

    def test_of_letters_that_grow_in_lower_case(self) -> None:
        text, start, end = cut("İİİ: Eğer [[ilaç çocuklar için güvenli ise]], satışa çıkacak.")
        framing = find_framing(text, start, end)
        assert framing is not None
        assert text[slice(*framing.span)] == "Eğer"

    def test_a_quote_with_its_own_speaker(self) -> None:
        text = "[[“The drug is safe,” the firm said on Monday]], a spokesman added."
        assert find_framing(*cut(text)) is None

    def test_none_without_tables_for_the_language(self) -> None:
        assert find_framing(*cut("Nav taisnība, ka [[zāles bērniem ir drošas]].")) is None

    @given(hostile, st.integers(0, 60), st.integers(0, 60))
    def test_bears_any_text(self, text: str, start: int, length: int) -> None:
        start = min(start, len(text))
        framing = find_framing(text, start, min(len(text), start + length))
        assert framing is None or framing.words == " ".join(text[slice(*framing.span)].split())


@each_row(
    ("text", "quote", "kind"),
    [
        (
            "• Take one a day.\n• If you are ill, the dose is halved.\n",
            "the dose is halved",
            "conditional",
        ),
        (
            "4.4 Jeżeli pompa nie działa, wylej wodę ze zbiornika.",
            "wylej wodę ze zbiornika",
            "conditional",
        ),
        (
            "00:30.000 --> 00:33.200\n<v Margot><i>Est-ce que maman est au courant ?</i>\n",
            "maman est au courant",
            "asked",
        ),
        (
            "Sie können zweimal verlängern, <em>es sei denn</em>, das Buch ist vorbestellt.",
            "Sie können zweimal verlängern",
            "conditional",
        ),
    ],
)
def test_markup_and_marks_of_items_hide_no_frame(text: str, quote: str, kind: str) -> None:
    start = text.index(quote)
    framing = find_framing(text, start, start + len(quote))
    assert framing is not None
    assert framing.kind == kind
