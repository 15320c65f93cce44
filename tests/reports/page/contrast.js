// Returns every piece of visible text whose contrast with its ground is too low (WCAG 2.2, 1.4.3).
const parse = (colour) => {
  const [red, green, blue, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
  return { parts: [red, green, blue], alpha };
};
const over = (top, ground) =>
  top.parts.map((part, index) => part * top.alpha + ground[index] * (1 - top.alpha));
const groundOf = (element) => {
  const layers = [];
  for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
  return layers.reduceRight((ground, layer) => over(layer, ground), [255, 255, 255]);
};
const luminance = (parts) => {
  const [red, green, blue] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const ratio = (one, other) => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};
const found = [];
let seen = 0;
const look = (element, style, ground, what) => {
  seen += 1;
  const contrast = ratio(over(parse(style.color), ground), ground);
  if (contrast < 4.5) found.push(`${contrast.toFixed(2)} ${what}`);
};
for (const element of document.body.querySelectorAll("*")) {
  if (element.closest("script, svg") || !element.checkVisibility({ visibilityProperty: true })) continue;
  const ground = groundOf(element);
  const what = `${element.tagName}.${element.getAttribute("class")} ${element.textContent.slice(0, 40)}`;
  if (Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.data.trim()))
    look(element, getComputedStyle(element), ground, what);
  for (const pseudo of ["::before", "::after"]) {
    const style = getComputedStyle(element, pseudo);
    if (["none", "normal"].includes(style.content) || style.display === "none") continue;
    look(element, style, over(parse(style.backgroundColor), ground), `${pseudo} ${what}`);
  }
}
return { found, seen };
