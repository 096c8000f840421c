const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Elements that paint or hold what paints. */
export const ELEMENTS = words(`
  svg g defs symbol use switch a path rect circle ellipse line polyline polygon text tspan textPath image
  linearGradient radialGradient stop clipPath mask pattern marker style`);

/** Elements that paint nothing; left out without a word. */
export const SILENT_ELEMENTS = words('title desc metadata view');

/** Elements with an outline of their own. */
export const OUTLINE_ELEMENTS = words('path rect circle ellipse line polyline polygon');

/** Properties that may stand as an attribute, in `style` and in a style sheet. */
export const PROPERTIES = words(`
  fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-dasharray stroke-dashoffset opacity clip-path clip-rule mask mask-type marker marker-start marker-mid marker-end
  stop-color stop-opacity color display visibility overflow paint-order shape-rendering image-rendering text-rendering
  color-interpolation vector-effect mix-blend-mode isolation font font-family font-size font-style font-weight font-stretch
  font-variant font-kerning letter-spacing word-spacing text-anchor text-decoration dominant-baseline alignment-baseline
  baseline-shift writing-mode transform-origin`);

/** `href` and `style` are looked at by themselves. */
export const ATTRIBUTES = words(`
  x y x1 y1 x2 y2 cx cy r rx ry fx fy fr width height d points viewBox preserveAspectRatio transform gradientTransform
  patternTransform gradientUnits patternUnits patternContentUnits clipPathUnits maskUnits maskContentUnits markerUnits
  markerWidth markerHeight refX refY orient spreadMethod offset dx dy rotate textLength lengthAdjust startOffset method spacing
  side systemLanguage requiredFeatures requiredExtensions class xml:space`);

/** Attributes and properties that are made of numbers; the others may hold text that looks like one, such as `#1e40af`. */
export const isNumeric = (name: string) => NUMERIC_PROPERTIES.has(name) || (ATTRIBUTES.has(name) && name !== 'class');

const NUMERIC_PROPERTIES = words(`
  stroke-width stroke-dasharray stroke-dashoffset stroke-miterlimit font-size letter-spacing word-spacing baseline-shift
  opacity fill-opacity stroke-opacity stop-opacity transform-origin`);

/** Attributes that paint nothing by themselves; left out without a word. */
export const isSilentAttribute = (name: string) =>
  /^(data-|aria-)/.test(name) || SILENT_ATTRIBUTES.has(name) || SILENT_PROPERTIES.has(name);

const SILENT_ATTRIBUTES = words(`
  id lang role tabindex version baseProfile focusable pathLength enable-background zoomAndPan contentScriptType contentStyleType
  target rel type media title`);

/** Properties that a picture does not need. */
export const SILENT_PROPERTIES = words(`
  pointer-events cursor color-rendering color-interpolation-filters flood-color flood-opacity lighting-color enable-background
  -inkscape-font-specification font-variant-ligatures font-variant-caps font-variant-numeric font-feature-settings
  font-variant-position font-variant-east-asian font-variation-settings text-indent text-align text-transform
  text-decoration-line text-decoration-style text-decoration-color text-orientation white-space shape-padding shape-margin
  inline-size block-progression direction unicode-bidi solid-color solid-opacity line-height writing-mode-legacy
  image-orientation will-change transform-box user-select -webkit-user-select -moz-user-select color-profile clip
  glyph-orientation-vertical glyph-orientation-horizontal kerning marker-offset stroke-dashadjust text-size-adjust margin padding`);
