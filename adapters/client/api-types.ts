/**
 * The bodies of the API, made of its description: `burin openapi --types > adapters/client/api-types.ts`.
 * A test holds both equal.
 */

export interface ConversionForm {
  readonly imageFile?: Blob | undefined;
  /** The kind of picture, which sets the other parameters; those given beside it win. */
  readonly preset?: 'auto' | 'logo' | 'illustration' | 'photo' | 'pixel_art' | 'technical_drawing' | undefined;
  /** How much work goes into the drawing, and what it costs: 1, 2 or 5 credits. */
  readonly quality_tier?: 'fast' | 'balanced_crisp' | 'high_precision' | undefined;
  /** The engine profile; a preset chooses one, so prefer the preset. */
  readonly quality_profile?: 'auto' | 'balanced_crisp' | 'balanced_edge_clean' | 'sharp_text_logo' | 'sharp_guarded' | 'photo_smooth' | 'clipart' | 'exact' | undefined;
  /** The tracer: planar is our own, potrace a second one for two-color work. */
  readonly engine?: 'planar' | 'potrace' | undefined;
  /** Trace in color, in grays, in black and white, or as outlines only. */
  readonly color_mode?: 'color' | 'grayscale' | 'bw' | 'outline' | undefined;
  /** How many colors the drawing has; left out, the picture decides. Unit: colors. */
  readonly palette_count?: number | undefined;
  /** Another name of palette_count. How many colors the drawing has; left out, the picture decides. */
  readonly paletteCount?: number | undefined;
  /** With manual, exactly palette_count colors where the picture has them; a count alone means manual. */
  readonly palette_count_mode?: 'auto' | 'manual' | undefined;
  /** Keep the picture's own colors instead of merging those that are nearly the same. */
  readonly preserve_exact_colors?: boolean | undefined;
  /** Use only these colors: a JSON array or comma list of hex colors; wins over a count. */
  readonly fixed_palette?: string | undefined;
  /** Draw smooth color changes as gradients rather than bands. */
  readonly gradients?: 'on' | 'off' | 'auto' | undefined;
  /** Keep the background, or leave out the even area that touches the border of the picture. */
  readonly background?: 'keep' | 'remove' | undefined;
  /** How small a detail is drawn. */
  readonly details_level?: 'auto' | 'low' | 'medium' | 'high' | undefined;
  /** How closely lines follow the edges of the picture. */
  readonly line_fit_tolerance?: 'coarse' | 'medium' | 'fine' | 'super_fine' | undefined;
  /** Fewer and longer curves as it rises; 0.25 is neutral. */
  readonly simplification?: number | undefined;
  /** Shapes and holes smaller than this area of the picture are left out. Unit: px². */
  readonly tiny_path_area?: number | undefined;
  /** The kinds of path segment the drawing may use. */
  readonly curves?: string | undefined;
  /** Draw circles, ellipses and rectangles as such rather than as paths. */
  readonly primitives?: 'on' | 'off' | undefined;
  /** Draw lines as filled outlines, or as strokes of their own width along their middle; areas stay areas. */
  readonly stroke_mode?: 'fill' | 'centerline' | undefined;
  /** Lay shapes on top of one another, or cut each out of those beneath it. */
  readonly shape_stacking?: 'stacked' | 'cutouts' | undefined;
  /** With cutouts, hide the hairlines between neighbors by a thin stroke or by a slight underlap. */
  readonly gap_cleanup?: 'off' | 'stroke' | 'underlap' | undefined;
  /** Restore the picture first: real_esrgan doubles and sharpens it, pixel_exact finds the grid of pixel art. */
  readonly edge_recovery?: 'off' | 'real_esrgan' | 'pixel_exact' | 'auto' | undefined;
  /** How much detail edge recovery works out. */
  readonly recovery_detail?: 'low' | 'med' | 'high' | 'ultra' | undefined;
  /** Sharpen the picture before tracing. */
  readonly preprocess_sharpen?: boolean | undefined;
  /** How strongly speckles and compression noise are removed; at 0 soft edges are left soft as well. */
  readonly artifact_cleanup?: number | undefined;
  /** At most this many nodes; the drawing is simplified until it fits. Unit: nodes. */
  readonly max_nodes?: number | undefined;
  /** An SVG of at most this many bytes; the drawing is simplified until it fits. Unit: bytes. */
  readonly max_bytes?: number | undefined;
  /** Measure the drawing against the picture; the fast tier leaves it out unless asked. */
  readonly fidelity?: boolean | undefined;
  /** Answer with JSON, or with the SVG file itself. */
  readonly output?: 'svg' | 'json' | undefined;
  /** Only say what it would cost and which settings would be used; nothing is charged. */
  readonly dry_run?: boolean | undefined;
}

export interface BatchConversionForm {
  readonly imageFiles: readonly Blob[];
  /** The kind of picture, which sets the other parameters; those given beside it win. */
  readonly preset?: 'auto' | 'logo' | 'illustration' | 'photo' | 'pixel_art' | 'technical_drawing' | undefined;
  /** How much work goes into the drawing, and what it costs: 1, 2 or 5 credits. */
  readonly quality_tier?: 'fast' | 'balanced_crisp' | 'high_precision' | undefined;
  /** The engine profile; a preset chooses one, so prefer the preset. */
  readonly quality_profile?: 'auto' | 'balanced_crisp' | 'balanced_edge_clean' | 'sharp_text_logo' | 'sharp_guarded' | 'photo_smooth' | 'clipart' | 'exact' | undefined;
  /** The tracer: planar is our own, potrace a second one for two-color work. */
  readonly engine?: 'planar' | 'potrace' | undefined;
  /** Trace in color, in grays, in black and white, or as outlines only. */
  readonly color_mode?: 'color' | 'grayscale' | 'bw' | 'outline' | undefined;
  /** How many colors the drawing has; left out, the picture decides. Unit: colors. */
  readonly palette_count?: number | undefined;
  /** Another name of palette_count. How many colors the drawing has; left out, the picture decides. */
  readonly paletteCount?: number | undefined;
  /** With manual, exactly palette_count colors where the picture has them; a count alone means manual. */
  readonly palette_count_mode?: 'auto' | 'manual' | undefined;
  /** Keep the picture's own colors instead of merging those that are nearly the same. */
  readonly preserve_exact_colors?: boolean | undefined;
  /** Use only these colors: a JSON array or comma list of hex colors; wins over a count. */
  readonly fixed_palette?: string | undefined;
  /** Draw smooth color changes as gradients rather than bands. */
  readonly gradients?: 'on' | 'off' | 'auto' | undefined;
  /** Keep the background, or leave out the even area that touches the border of the picture. */
  readonly background?: 'keep' | 'remove' | undefined;
  /** How small a detail is drawn. */
  readonly details_level?: 'auto' | 'low' | 'medium' | 'high' | undefined;
  /** How closely lines follow the edges of the picture. */
  readonly line_fit_tolerance?: 'coarse' | 'medium' | 'fine' | 'super_fine' | undefined;
  /** Fewer and longer curves as it rises; 0.25 is neutral. */
  readonly simplification?: number | undefined;
  /** Shapes and holes smaller than this area of the picture are left out. Unit: px². */
  readonly tiny_path_area?: number | undefined;
  /** The kinds of path segment the drawing may use. */
  readonly curves?: string | undefined;
  /** Draw circles, ellipses and rectangles as such rather than as paths. */
  readonly primitives?: 'on' | 'off' | undefined;
  /** Draw lines as filled outlines, or as strokes of their own width along their middle; areas stay areas. */
  readonly stroke_mode?: 'fill' | 'centerline' | undefined;
  /** Lay shapes on top of one another, or cut each out of those beneath it. */
  readonly shape_stacking?: 'stacked' | 'cutouts' | undefined;
  /** With cutouts, hide the hairlines between neighbors by a thin stroke or by a slight underlap. */
  readonly gap_cleanup?: 'off' | 'stroke' | 'underlap' | undefined;
  /** Restore the picture first: real_esrgan doubles and sharpens it, pixel_exact finds the grid of pixel art. */
  readonly edge_recovery?: 'off' | 'real_esrgan' | 'pixel_exact' | 'auto' | undefined;
  /** How much detail edge recovery works out. */
  readonly recovery_detail?: 'low' | 'med' | 'high' | 'ultra' | undefined;
  /** Sharpen the picture before tracing. */
  readonly preprocess_sharpen?: boolean | undefined;
  /** How strongly speckles and compression noise are removed; at 0 soft edges are left soft as well. */
  readonly artifact_cleanup?: number | undefined;
  /** At most this many nodes; the drawing is simplified until it fits. Unit: nodes. */
  readonly max_nodes?: number | undefined;
  /** An SVG of at most this many bytes; the drawing is simplified until it fits. Unit: bytes. */
  readonly max_bytes?: number | undefined;
  /** Measure the drawing against the picture; the fast tier leaves it out unless asked. */
  readonly fidelity?: boolean | undefined;
}

export interface ExportOptions {
  /** Size of the result in times of the drawing; not together with width or height. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
  readonly scale?: number | undefined;
  /** Width of the result in `unit`; alone, the height follows. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
  readonly width?: number | undefined;
  /** Height of the result in `unit`; alone, the width follows. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
  readonly height?: number | undefined;
  /** With both width and height: fit all of the drawing inside (inset), fill the size and cut what stands out (overflow), or stretch. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
  readonly fit?: 'inset' | 'overflow' | 'stretch' | undefined;
  /** The unit of width and height, and of the size written into the file. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
  readonly unit?: 'px' | 'pt' | 'mm' | 'cm' | 'in' | undefined;
  /** How many pixels make an inch where pixels and lengths meet, and what raster files say of themselves. Unit: px/in. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
  readonly dpi?: number | undefined;
  /** Painted beneath the drawing; a hex color, or none. Honoured by: svg, pdf, eps, png, jpg, webp, avif. */
  readonly background?: string | undefined;
  /** Groups, which are layers in a PDF: none, one for each color, or one for each path. Honoured by: svg, pdf. */
  readonly group_by?: 'none' | 'color' | 'path' | undefined;
  /** Write only what this SVG version has; left out, 1.1 with vector-effect where it is asked for. Honoured by: svg. */
  readonly svg_version?: '1.0' | '1.1' | 'tiny1.2' | undefined;
  /** No element has a transform, no group an opacity, and nothing is used twice by reference; turned pictures keep theirs. Honoured by: svg. */
  readonly flatten?: boolean | undefined;
  /** Cut off what lies outside the canvas. Honoured by: svg, pdf, eps, dxf. */
  readonly clip_overflow?: boolean | undefined;
  /** Strokes keep their width when the drawing is scaled. Honoured by: svg. */
  readonly non_scaling_strokes?: boolean | undefined;
  /** Hide hairlines between neighbors by a thin stroke around fills, or by one beneath those painted later. Honoured by: svg, pdf, eps, png, jpg, webp, avif. */
  readonly gap_cleanup?: 'off' | 'stroke' | 'underlap' | undefined;
  /** How wide gap cleanup paints beyond the edge of a fill, on both sides together. Unit: px of the drawing. Honoured by: svg, pdf, eps, png, jpg, webp, avif. */
  readonly gap_width?: number | undefined;
  /** Digits after the point of every coordinate; one unit is one pixel of the picture. Unit: digits. Honoured by: svg, pdf, eps. */
  readonly precision?: number | undefined;
  /** Quality of a lossy picture. Honoured by: jpg, webp, avif. */
  readonly quality?: number | undefined;
  /** Keep every pixel exactly; quality is then not used. Honoured by: webp, avif. */
  readonly lossless?: boolean | undefined;
  /** The PDF version the file states. Honoured by: pdf. */
  readonly pdf_version?: '1.4' | '1.5' | '1.6' | '1.7' | undefined;
  /** Title written into the file. Honoured by: svg, pdf, eps. */
  readonly title?: string | undefined;
  /** Author written into the file. Honoured by: pdf. */
  readonly author?: string | undefined;
  /** Subject written into the file. Honoured by: pdf. */
  readonly subject?: string | undefined;
  /** Keywords written into the file. Honoured by: pdf. */
  readonly keywords?: string | undefined;
  /** PostScript level: 3 has true gradients, 2 paints them in bands. Honoured by: eps. */
  readonly level?: number | undefined;
  /** What curves become: short lines, lines and arcs within `tolerance`, or exact splines. Honoured by: dxf. */
  readonly compatibility?: 'lines_only' | 'lines_and_arcs' | 'splines' | undefined;
  /** How far lines and arcs may stand off the true curve. Unit: mm. Honoured by: dxf. */
  readonly tolerance?: number | undefined;
  /** A layer for each color, or all in one. Honoured by: dxf. */
  readonly layers?: 'color' | 'none' | undefined;
}

/** The options of SVG 1.1. */
export interface ExportOptionsSvg {
  /** Size of the result in times of the drawing; not together with width or height. */
  readonly scale?: number | undefined;
  /** Width of the result in `unit`; alone, the height follows. */
  readonly width?: number | undefined;
  /** Height of the result in `unit`; alone, the width follows. */
  readonly height?: number | undefined;
  /** With both width and height: fit all of the drawing inside (inset), fill the size and cut what stands out (overflow), or stretch. */
  readonly fit?: 'inset' | 'overflow' | 'stretch' | undefined;
  /** The unit of width and height, and of the size written into the file. */
  readonly unit?: 'px' | 'pt' | 'mm' | 'cm' | 'in' | undefined;
  /** How many pixels make an inch where pixels and lengths meet, and what raster files say of themselves. Unit: px/in. */
  readonly dpi?: number | undefined;
  /** Painted beneath the drawing; a hex color, or none. */
  readonly background?: string | undefined;
  /** Groups, which are layers in a PDF: none, one for each color, or one for each path. */
  readonly group_by?: 'none' | 'color' | 'path' | undefined;
  /** Write only what this SVG version has; left out, 1.1 with vector-effect where it is asked for. */
  readonly svg_version?: '1.0' | '1.1' | 'tiny1.2' | undefined;
  /** No element has a transform, no group an opacity, and nothing is used twice by reference; turned pictures keep theirs. */
  readonly flatten?: boolean | undefined;
  /** Cut off what lies outside the canvas. */
  readonly clip_overflow?: boolean | undefined;
  /** Strokes keep their width when the drawing is scaled. */
  readonly non_scaling_strokes?: boolean | undefined;
  /** Hide hairlines between neighbors by a thin stroke around fills, or by one beneath those painted later. */
  readonly gap_cleanup?: 'off' | 'stroke' | 'underlap' | undefined;
  /** How wide gap cleanup paints beyond the edge of a fill, on both sides together. Unit: px of the drawing. */
  readonly gap_width?: number | undefined;
  /** Digits after the point of every coordinate; one unit is one pixel of the picture. Unit: digits. */
  readonly precision?: number | undefined;
  /** Title written into the file. */
  readonly title?: string | undefined;
}

/** The options of PDF. */
export interface ExportOptionsPdf {
  /** Size of the result in times of the drawing; not together with width or height. */
  readonly scale?: number | undefined;
  /** Width of the result in `unit`; alone, the height follows. */
  readonly width?: number | undefined;
  /** Height of the result in `unit`; alone, the width follows. */
  readonly height?: number | undefined;
  /** With both width and height: fit all of the drawing inside (inset), fill the size and cut what stands out (overflow), or stretch. */
  readonly fit?: 'inset' | 'overflow' | 'stretch' | undefined;
  /** The unit of width and height, and of the size written into the file. */
  readonly unit?: 'px' | 'pt' | 'mm' | 'cm' | 'in' | undefined;
  /** How many pixels make an inch where pixels and lengths meet, and what raster files say of themselves. Unit: px/in. */
  readonly dpi?: number | undefined;
  /** Painted beneath the drawing; a hex color, or none. */
  readonly background?: string | undefined;
  /** Groups, which are layers in a PDF: none, one for each color, or one for each path. */
  readonly group_by?: 'none' | 'color' | undefined;
  /** Cut off what lies outside the canvas. */
  readonly clip_overflow?: boolean | undefined;
  /** Hide hairlines between neighbors by a thin stroke around fills, or by one beneath those painted later. */
  readonly gap_cleanup?: 'off' | 'stroke' | 'underlap' | undefined;
  /** How wide gap cleanup paints beyond the edge of a fill, on both sides together. Unit: px of the drawing. */
  readonly gap_width?: number | undefined;
  /** Digits after the point of every coordinate; one unit is one pixel of the picture. Unit: digits. */
  readonly precision?: number | undefined;
  /** The PDF version the file states. */
  readonly pdf_version?: '1.4' | '1.5' | '1.6' | '1.7' | undefined;
  /** Title written into the file. */
  readonly title?: string | undefined;
  /** Author written into the file. */
  readonly author?: string | undefined;
  /** Subject written into the file. */
  readonly subject?: string | undefined;
  /** Keywords written into the file. */
  readonly keywords?: string | undefined;
}

/** The options of EPS (PostScript). */
export interface ExportOptionsEps {
  /** Size of the result in times of the drawing; not together with width or height. */
  readonly scale?: number | undefined;
  /** Width of the result in `unit`; alone, the height follows. */
  readonly width?: number | undefined;
  /** Height of the result in `unit`; alone, the width follows. */
  readonly height?: number | undefined;
  /** With both width and height: fit all of the drawing inside (inset), fill the size and cut what stands out (overflow), or stretch. */
  readonly fit?: 'inset' | 'overflow' | 'stretch' | undefined;
  /** The unit of width and height, and of the size written into the file. */
  readonly unit?: 'px' | 'pt' | 'mm' | 'cm' | 'in' | undefined;
  /** How many pixels make an inch where pixels and lengths meet, and what raster files say of themselves. Unit: px/in. */
  readonly dpi?: number | undefined;
  /** Painted beneath the drawing; a hex color, or none. */
  readonly background?: string | undefined;
  /** Cut off what lies outside the canvas. */
  readonly clip_overflow?: boolean | undefined;
  /** Hide hairlines between neighbors by a thin stroke around fills, or by one beneath those painted later. */
  readonly gap_cleanup?: 'off' | 'stroke' | 'underlap' | undefined;
  /** How wide gap cleanup paints beyond the edge of a fill, on both sides together. Unit: px of the drawing. */
  readonly gap_width?: number | undefined;
  /** Digits after the point of every coordinate; one unit is one pixel of the picture. Unit: digits. */
  readonly precision?: number | undefined;
  /** Title written into the file. */
  readonly title?: string | undefined;
  /** PostScript level: 3 has true gradients, 2 paints them in bands. */
  readonly level?: number | undefined;
}

/** The options of DXF (outlines for CAD and cutting). */
export interface ExportOptionsDxf {
  /** Size of the result in times of the drawing; not together with width or height. */
  readonly scale?: number | undefined;
  /** Width of the result in `unit`; alone, the height follows. */
  readonly width?: number | undefined;
  /** Height of the result in `unit`; alone, the width follows. */
  readonly height?: number | undefined;
  /** With both width and height: fit all of the drawing inside (inset), fill the size and cut what stands out (overflow), or stretch. */
  readonly fit?: 'inset' | 'stretch' | undefined;
  /** The unit of width and height, and of the size written into the file. */
  readonly unit?: 'mm' | 'cm' | 'in' | undefined;
  /** How many pixels make an inch where pixels and lengths meet, and what raster files say of themselves. Unit: px/in. */
  readonly dpi?: number | undefined;
  /** Cut off what lies outside the canvas. */
  readonly clip_overflow?: boolean | undefined;
  /** What curves become: short lines, lines and arcs within `tolerance`, or exact splines. */
  readonly compatibility?: 'lines_only' | 'lines_and_arcs' | 'splines' | undefined;
  /** How far lines and arcs may stand off the true curve. Unit: mm. */
  readonly tolerance?: number | undefined;
  /** A layer for each color, or all in one. */
  readonly layers?: 'color' | 'none' | undefined;
}

/** The options of PNG. */
export interface ExportOptionsPng {
  /** Size of the result in times of the drawing; not together with width or height. */
  readonly scale?: number | undefined;
  /** Width of the result in `unit`; alone, the height follows. */
  readonly width?: number | undefined;
  /** Height of the result in `unit`; alone, the width follows. */
  readonly height?: number | undefined;
  /** With both width and height: fit all of the drawing inside (inset), fill the size and cut what stands out (overflow), or stretch. */
  readonly fit?: 'inset' | 'overflow' | 'stretch' | undefined;
  /** The unit of width and height, and of the size written into the file. */
  readonly unit?: 'px' | 'pt' | 'mm' | 'cm' | 'in' | undefined;
  /** How many pixels make an inch where pixels and lengths meet, and what raster files say of themselves. Unit: px/in. */
  readonly dpi?: number | undefined;
  /** Painted beneath the drawing; a hex color, or none. */
  readonly background?: string | undefined;
  /** Hide hairlines between neighbors by a thin stroke around fills, or by one beneath those painted later. */
  readonly gap_cleanup?: 'off' | 'stroke' | 'underlap' | undefined;
  /** How wide gap cleanup paints beyond the edge of a fill, on both sides together. Unit: px of the drawing. */
  readonly gap_width?: number | undefined;
}

/** The options of JPEG. */
export interface ExportOptionsJpg {
  /** Size of the result in times of the drawing; not together with width or height. */
  readonly scale?: number | undefined;
  /** Width of the result in `unit`; alone, the height follows. */
  readonly width?: number | undefined;
  /** Height of the result in `unit`; alone, the width follows. */
  readonly height?: number | undefined;
  /** With both width and height: fit all of the drawing inside (inset), fill the size and cut what stands out (overflow), or stretch. */
  readonly fit?: 'inset' | 'overflow' | 'stretch' | undefined;
  /** The unit of width and height, and of the size written into the file. */
  readonly unit?: 'px' | 'pt' | 'mm' | 'cm' | 'in' | undefined;
  /** How many pixels make an inch where pixels and lengths meet, and what raster files say of themselves. Unit: px/in. */
  readonly dpi?: number | undefined;
  /** Painted beneath the drawing; a hex color, or none. */
  readonly background?: string | undefined;
  /** Hide hairlines between neighbors by a thin stroke around fills, or by one beneath those painted later. */
  readonly gap_cleanup?: 'off' | 'stroke' | 'underlap' | undefined;
  /** How wide gap cleanup paints beyond the edge of a fill, on both sides together. Unit: px of the drawing. */
  readonly gap_width?: number | undefined;
  /** Quality of a lossy picture. */
  readonly quality?: number | undefined;
}

/** The options of WebP. */
export interface ExportOptionsWebp {
  /** Size of the result in times of the drawing; not together with width or height. */
  readonly scale?: number | undefined;
  /** Width of the result in `unit`; alone, the height follows. */
  readonly width?: number | undefined;
  /** Height of the result in `unit`; alone, the width follows. */
  readonly height?: number | undefined;
  /** With both width and height: fit all of the drawing inside (inset), fill the size and cut what stands out (overflow), or stretch. */
  readonly fit?: 'inset' | 'overflow' | 'stretch' | undefined;
  /** The unit of width and height, and of the size written into the file. */
  readonly unit?: 'px' | 'pt' | 'mm' | 'cm' | 'in' | undefined;
  /** How many pixels make an inch where pixels and lengths meet, and what raster files say of themselves. Unit: px/in. */
  readonly dpi?: number | undefined;
  /** Painted beneath the drawing; a hex color, or none. */
  readonly background?: string | undefined;
  /** Hide hairlines between neighbors by a thin stroke around fills, or by one beneath those painted later. */
  readonly gap_cleanup?: 'off' | 'stroke' | 'underlap' | undefined;
  /** How wide gap cleanup paints beyond the edge of a fill, on both sides together. Unit: px of the drawing. */
  readonly gap_width?: number | undefined;
  /** Quality of a lossy picture. */
  readonly quality?: number | undefined;
  /** Keep every pixel exactly; quality is then not used. */
  readonly lossless?: boolean | undefined;
}

/** The options of AVIF. */
export interface ExportOptionsAvif {
  /** Size of the result in times of the drawing; not together with width or height. */
  readonly scale?: number | undefined;
  /** Width of the result in `unit`; alone, the height follows. */
  readonly width?: number | undefined;
  /** Height of the result in `unit`; alone, the width follows. */
  readonly height?: number | undefined;
  /** With both width and height: fit all of the drawing inside (inset), fill the size and cut what stands out (overflow), or stretch. */
  readonly fit?: 'inset' | 'overflow' | 'stretch' | undefined;
  /** The unit of width and height, and of the size written into the file. */
  readonly unit?: 'px' | 'pt' | 'mm' | 'cm' | 'in' | undefined;
  /** How many pixels make an inch where pixels and lengths meet, and what raster files say of themselves. Unit: px/in. */
  readonly dpi?: number | undefined;
  /** Painted beneath the drawing; a hex color, or none. */
  readonly background?: string | undefined;
  /** Hide hairlines between neighbors by a thin stroke around fills, or by one beneath those painted later. */
  readonly gap_cleanup?: 'off' | 'stroke' | 'underlap' | undefined;
  /** How wide gap cleanup paints beyond the edge of a fill, on both sides together. Unit: px of the drawing. */
  readonly gap_width?: number | undefined;
  /** Quality of a lossy picture. */
  readonly quality?: number | undefined;
  /** Keep every pixel exactly; quality is then not used. */
  readonly lossless?: boolean | undefined;
}

export interface ExportRequest {
  /** SVG markup of any origin. */
  readonly svg?: string | undefined;
  /** The downloadPathBasename of a conversion. */
  readonly sourceSvgBasename?: string | undefined;
  readonly format: 'svg' | 'pdf' | 'eps' | 'dxf' | 'png' | 'jpg' | 'webp' | 'avif';
  /** The file is called by it. */
  readonly filenameBase?: string | undefined;
  readonly exportOptions?: ExportOptions | undefined;
  /** Size of the result in times of the drawing; not together with width or height. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
  readonly scale?: number | undefined;
  /** Width of the result in `unit`; alone, the height follows. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
  readonly width?: number | undefined;
  /** Height of the result in `unit`; alone, the width follows. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
  readonly height?: number | undefined;
  /** With both width and height: fit all of the drawing inside (inset), fill the size and cut what stands out (overflow), or stretch. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
  readonly fit?: 'inset' | 'overflow' | 'stretch' | undefined;
  /** The unit of width and height, and of the size written into the file. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
  readonly unit?: 'px' | 'pt' | 'mm' | 'cm' | 'in' | undefined;
  /** How many pixels make an inch where pixels and lengths meet, and what raster files say of themselves. Unit: px/in. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
  readonly dpi?: number | undefined;
  /** Painted beneath the drawing; a hex color, or none. Honoured by: svg, pdf, eps, png, jpg, webp, avif. */
  readonly background?: string | undefined;
  /** Groups, which are layers in a PDF: none, one for each color, or one for each path. Honoured by: svg, pdf. */
  readonly group_by?: 'none' | 'color' | 'path' | undefined;
  /** Write only what this SVG version has; left out, 1.1 with vector-effect where it is asked for. Honoured by: svg. */
  readonly svg_version?: '1.0' | '1.1' | 'tiny1.2' | undefined;
  /** No element has a transform, no group an opacity, and nothing is used twice by reference; turned pictures keep theirs. Honoured by: svg. */
  readonly flatten?: boolean | undefined;
  /** Cut off what lies outside the canvas. Honoured by: svg, pdf, eps, dxf. */
  readonly clip_overflow?: boolean | undefined;
  /** Strokes keep their width when the drawing is scaled. Honoured by: svg. */
  readonly non_scaling_strokes?: boolean | undefined;
  /** Hide hairlines between neighbors by a thin stroke around fills, or by one beneath those painted later. Honoured by: svg, pdf, eps, png, jpg, webp, avif. */
  readonly gap_cleanup?: 'off' | 'stroke' | 'underlap' | undefined;
  /** How wide gap cleanup paints beyond the edge of a fill, on both sides together. Unit: px of the drawing. Honoured by: svg, pdf, eps, png, jpg, webp, avif. */
  readonly gap_width?: number | undefined;
  /** Digits after the point of every coordinate; one unit is one pixel of the picture. Unit: digits. Honoured by: svg, pdf, eps. */
  readonly precision?: number | undefined;
  /** Quality of a lossy picture. Honoured by: jpg, webp, avif. */
  readonly quality?: number | undefined;
  /** Keep every pixel exactly; quality is then not used. Honoured by: webp, avif. */
  readonly lossless?: boolean | undefined;
  /** The PDF version the file states. Honoured by: pdf. */
  readonly pdf_version?: '1.4' | '1.5' | '1.6' | '1.7' | undefined;
  /** Title written into the file. Honoured by: svg, pdf, eps. */
  readonly title?: string | undefined;
  /** Author written into the file. Honoured by: pdf. */
  readonly author?: string | undefined;
  /** Subject written into the file. Honoured by: pdf. */
  readonly subject?: string | undefined;
  /** Keywords written into the file. Honoured by: pdf. */
  readonly keywords?: string | undefined;
  /** PostScript level: 3 has true gradients, 2 paints them in bands. Honoured by: eps. */
  readonly level?: number | undefined;
  /** What curves become: short lines, lines and arcs within `tolerance`, or exact splines. Honoured by: dxf. */
  readonly compatibility?: 'lines_only' | 'lines_and_arcs' | 'splines' | undefined;
  /** How far lines and arcs may stand off the true curve. Unit: mm. Honoured by: dxf. */
  readonly tolerance?: number | undefined;
  /** A layer for each color, or all in one. Honoured by: dxf. */
  readonly layers?: 'color' | 'none' | undefined;
}

export interface ZipRequest {
  readonly items: readonly ({
    /** SVG markup of any origin. */
    readonly svg?: string | undefined;
    /** The downloadPathBasename of a conversion. */
    readonly sourceSvgBasename?: string | undefined;
    readonly format: 'svg' | 'pdf' | 'eps' | 'dxf' | 'png' | 'jpg' | 'webp' | 'avif';
    /** The file is called by it. */
    readonly filenameBase?: string | undefined;
    readonly exportOptions?: ExportOptions | undefined;
    /** Size of the result in times of the drawing; not together with width or height. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
    readonly scale?: number | undefined;
    /** Width of the result in `unit`; alone, the height follows. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
    readonly width?: number | undefined;
    /** Height of the result in `unit`; alone, the width follows. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
    readonly height?: number | undefined;
    /** With both width and height: fit all of the drawing inside (inset), fill the size and cut what stands out (overflow), or stretch. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
    readonly fit?: 'inset' | 'overflow' | 'stretch' | undefined;
    /** The unit of width and height, and of the size written into the file. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
    readonly unit?: 'px' | 'pt' | 'mm' | 'cm' | 'in' | undefined;
    /** How many pixels make an inch where pixels and lengths meet, and what raster files say of themselves. Unit: px/in. Honoured by: svg, pdf, eps, dxf, png, jpg, webp, avif. */
    readonly dpi?: number | undefined;
    /** Painted beneath the drawing; a hex color, or none. Honoured by: svg, pdf, eps, png, jpg, webp, avif. */
    readonly background?: string | undefined;
    /** Groups, which are layers in a PDF: none, one for each color, or one for each path. Honoured by: svg, pdf. */
    readonly group_by?: 'none' | 'color' | 'path' | undefined;
    /** Write only what this SVG version has; left out, 1.1 with vector-effect where it is asked for. Honoured by: svg. */
    readonly svg_version?: '1.0' | '1.1' | 'tiny1.2' | undefined;
    /** No element has a transform, no group an opacity, and nothing is used twice by reference; turned pictures keep theirs. Honoured by: svg. */
    readonly flatten?: boolean | undefined;
    /** Cut off what lies outside the canvas. Honoured by: svg, pdf, eps, dxf. */
    readonly clip_overflow?: boolean | undefined;
    /** Strokes keep their width when the drawing is scaled. Honoured by: svg. */
    readonly non_scaling_strokes?: boolean | undefined;
    /** Hide hairlines between neighbors by a thin stroke around fills, or by one beneath those painted later. Honoured by: svg, pdf, eps, png, jpg, webp, avif. */
    readonly gap_cleanup?: 'off' | 'stroke' | 'underlap' | undefined;
    /** How wide gap cleanup paints beyond the edge of a fill, on both sides together. Unit: px of the drawing. Honoured by: svg, pdf, eps, png, jpg, webp, avif. */
    readonly gap_width?: number | undefined;
    /** Digits after the point of every coordinate; one unit is one pixel of the picture. Unit: digits. Honoured by: svg, pdf, eps. */
    readonly precision?: number | undefined;
    /** Quality of a lossy picture. Honoured by: jpg, webp, avif. */
    readonly quality?: number | undefined;
    /** Keep every pixel exactly; quality is then not used. Honoured by: webp, avif. */
    readonly lossless?: boolean | undefined;
    /** The PDF version the file states. Honoured by: pdf. */
    readonly pdf_version?: '1.4' | '1.5' | '1.6' | '1.7' | undefined;
    /** Title written into the file. Honoured by: svg, pdf, eps. */
    readonly title?: string | undefined;
    /** Author written into the file. Honoured by: pdf. */
    readonly author?: string | undefined;
    /** Subject written into the file. Honoured by: pdf. */
    readonly subject?: string | undefined;
    /** Keywords written into the file. Honoured by: pdf. */
    readonly keywords?: string | undefined;
    /** PostScript level: 3 has true gradients, 2 paints them in bands. Honoured by: eps. */
    readonly level?: number | undefined;
    /** What curves become: short lines, lines and arcs within `tolerance`, or exact splines. Honoured by: dxf. */
    readonly compatibility?: 'lines_only' | 'lines_and_arcs' | 'splines' | undefined;
    /** How far lines and arcs may stand off the true curve. Unit: mm. Honoured by: dxf. */
    readonly tolerance?: number | undefined;
    /** A layer for each color, or all in one. Honoured by: dxf. */
    readonly layers?: 'color' | 'none' | undefined;
  })[];
}

export interface Error {
  /** What was wrong, and what would be right. */
  readonly error: string;
  readonly code: string;
  /** The field at fault; on every 400. */
  readonly field?: string | undefined;
  readonly retry_after_seconds?: number | undefined;
  readonly request_id: string;
}

export interface Conversion {
  readonly svg: string;
  readonly colorPalette: readonly {
    readonly hex: string;
    readonly rgb: readonly number[];
    readonly opacity: number;
    readonly coverage: number;
    readonly shapes: number;
  }[];
  readonly colorGroups: readonly {
    readonly id: string;
    readonly hex: string;
    readonly shapeIds: readonly string[];
    readonly shapes: number;
    readonly coverage: number;
  }[];
  readonly qualityDiagnostics: {
    readonly engineVersion: string;
    readonly detectedType: 'pixel_art' | 'line_art' | 'flat_art' | 'illustration' | 'photo' | 'scan' | 'screenshot';
    readonly typeConfidence: number;
    readonly typeReason: string;
    readonly preset: 'auto' | 'logo' | 'illustration' | 'photo' | 'pixel_art' | 'technical_drawing';
    readonly qualityProfile: 'auto' | 'balanced_crisp' | 'balanced_edge_clean' | 'sharp_text_logo' | 'sharp_guarded' | 'photo_smooth' | 'clipart' | 'exact';
    readonly qualityTier: 'fast' | 'balanced_crisp' | 'high_precision';
    readonly edgeRecoveryRequested: 'off' | 'auto' | 'pixel_exact' | 'real_esrgan';
    readonly edgeRecoveryResolved: 'off' | 'pixel_exact' | 'real_esrgan';
    readonly edgeRecoveryReason: string;
    readonly settings: Readonly<Record<string, {
      readonly value: string | number | boolean | null | readonly string[];
      readonly origin: 'explicit' | 'preset' | 'auto' | 'default';
    }>>;
    readonly workingSize: {
      readonly width: number;
      readonly height: number;
    };
    readonly notes: readonly {
      readonly code: string;
      readonly message: string;
    }[];
    readonly fidelity: {
      readonly psnr: number;
      readonly ssim: number;
      readonly deltaE00: number;
      readonly worst: {
        readonly x: number;
        readonly y: number;
        readonly width: number;
        readonly height: number;
        readonly deltaE00: number;
      };
    } | null;
  };
  readonly traceStats: {
    readonly width: number;
    readonly height: number;
    readonly shapes: number;
    readonly paths: number;
    readonly primitives: number;
    readonly gradients: number;
    readonly nodes: number;
    readonly parameters: number;
    readonly colors: number;
    readonly svgBytes: number;
    readonly timingsMs: {
      readonly decode: number;
      readonly recover: number;
      readonly segment: number;
      readonly fit: number;
      readonly write: number;
      readonly score: number;
      readonly total: number;
      readonly queued: number;
    };
  };
  readonly stats: {
    readonly width: number;
    readonly height: number;
    readonly shapes: number;
    readonly paths: number;
    readonly primitives: number;
    readonly gradients: number;
    readonly nodes: number;
    readonly parameters: number;
    readonly colors: number;
    readonly svgBytes: number;
    readonly timingsMs: {
      readonly decode: number;
      readonly recover: number;
      readonly segment: number;
      readonly fit: number;
      readonly write: number;
      readonly score: number;
      readonly total: number;
      readonly queued: number;
    };
  };
  readonly downloadPathBasename: string;
  readonly downloadActualFilename: string;
  readonly convertedFileSize: number;
}

export interface ConversionEstimate {
  readonly dryRun: true;
  readonly credits: number;
  readonly settings: Readonly<Record<string, {
    readonly value: string | number | boolean | null | readonly string[];
    readonly origin: 'explicit' | 'preset' | 'auto' | 'default';
  }>>;
}

export interface BatchConversion {
  readonly results: readonly ({
    readonly filename: string;
    readonly ok: true;
    readonly svg: string;
    readonly colorPalette: readonly {
      readonly hex: string;
      readonly rgb: readonly number[];
      readonly opacity: number;
      readonly coverage: number;
      readonly shapes: number;
    }[];
    readonly traceStats: {
      readonly width: number;
      readonly height: number;
      readonly shapes: number;
      readonly paths: number;
      readonly primitives: number;
      readonly gradients: number;
      readonly nodes: number;
      readonly parameters: number;
      readonly colors: number;
      readonly svgBytes: number;
      readonly timingsMs: {
        readonly decode: number;
        readonly recover: number;
        readonly segment: number;
        readonly fit: number;
        readonly write: number;
        readonly score: number;
        readonly total: number;
        readonly queued: number;
      };
    };
  } | {
    readonly filename: string;
    readonly ok: false;
    readonly error: string;
    readonly code: string;
  })[];
  readonly succeeded: number;
  readonly failed: number;
  readonly totalRequested: number;
}

export interface Job {
  readonly id: string;
  readonly state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  /** Its place among the jobs that have not begun. */
  readonly position?: number | undefined;
  readonly stage?: 'decode' | 'recover' | 'segment' | 'fit' | 'write' | 'score' | undefined;
  readonly fraction: number;
  readonly created_at: string;
  readonly links: {
    readonly self: string;
    readonly events: string;
  };
  readonly result?: {
    readonly svg: string;
    readonly colorPalette: readonly {
      readonly hex: string;
      readonly rgb: readonly number[];
      readonly opacity: number;
      readonly coverage: number;
      readonly shapes: number;
    }[];
    readonly colorGroups: readonly {
      readonly id: string;
      readonly hex: string;
      readonly shapeIds: readonly string[];
      readonly shapes: number;
      readonly coverage: number;
    }[];
    readonly qualityDiagnostics: {
      readonly engineVersion: string;
      readonly detectedType: 'pixel_art' | 'line_art' | 'flat_art' | 'illustration' | 'photo' | 'scan' | 'screenshot';
      readonly typeConfidence: number;
      readonly typeReason: string;
      readonly preset: 'auto' | 'logo' | 'illustration' | 'photo' | 'pixel_art' | 'technical_drawing';
      readonly qualityProfile: 'auto' | 'balanced_crisp' | 'balanced_edge_clean' | 'sharp_text_logo' | 'sharp_guarded' | 'photo_smooth' | 'clipart' | 'exact';
      readonly qualityTier: 'fast' | 'balanced_crisp' | 'high_precision';
      readonly edgeRecoveryRequested: 'off' | 'auto' | 'pixel_exact' | 'real_esrgan';
      readonly edgeRecoveryResolved: 'off' | 'pixel_exact' | 'real_esrgan';
      readonly edgeRecoveryReason: string;
      readonly settings: Readonly<Record<string, {
        readonly value: string | number | boolean | null | readonly string[];
        readonly origin: 'explicit' | 'preset' | 'auto' | 'default';
      }>>;
      readonly workingSize: {
        readonly width: number;
        readonly height: number;
      };
      readonly notes: readonly {
        readonly code: string;
        readonly message: string;
      }[];
      readonly fidelity: {
        readonly psnr: number;
        readonly ssim: number;
        readonly deltaE00: number;
        readonly worst: {
          readonly x: number;
          readonly y: number;
          readonly width: number;
          readonly height: number;
          readonly deltaE00: number;
        };
      } | null;
    };
    readonly traceStats: {
      readonly width: number;
      readonly height: number;
      readonly shapes: number;
      readonly paths: number;
      readonly primitives: number;
      readonly gradients: number;
      readonly nodes: number;
      readonly parameters: number;
      readonly colors: number;
      readonly svgBytes: number;
      readonly timingsMs: {
        readonly decode: number;
        readonly recover: number;
        readonly segment: number;
        readonly fit: number;
        readonly write: number;
        readonly score: number;
        readonly total: number;
        readonly queued: number;
      };
    };
    readonly stats: {
      readonly width: number;
      readonly height: number;
      readonly shapes: number;
      readonly paths: number;
      readonly primitives: number;
      readonly gradients: number;
      readonly nodes: number;
      readonly parameters: number;
      readonly colors: number;
      readonly svgBytes: number;
      readonly timingsMs: {
        readonly decode: number;
        readonly recover: number;
        readonly segment: number;
        readonly fit: number;
        readonly write: number;
        readonly score: number;
        readonly total: number;
        readonly queued: number;
      };
    };
    readonly downloadPathBasename: string;
    readonly downloadActualFilename: string;
    readonly convertedFileSize: number;
  } | undefined;
  readonly error?: {
    /** What was wrong, and what would be right. */
    readonly error: string;
    readonly code: string;
    /** The field at fault; on every 400. */
    readonly field?: string | undefined;
    readonly retry_after_seconds?: number | undefined;
    readonly request_id: string;
  } | undefined;
}

export interface Export {
  readonly downloadPathBasename: string;
  readonly downloadActualFilename: string;
  readonly convertedFileSize: number;
  readonly actualFormat: string;
  /** What could not be kept. */
  readonly warnings: readonly {
    readonly code: string;
    readonly message: string;
  }[];
  readonly size?: {
    readonly width: number;
    readonly height: number;
    readonly unit: 'px' | 'pt' | 'mm' | 'cm' | 'in';
  } | undefined;
}

export interface Zip {
  readonly zipBasename: string;
  readonly zipFilename: string;
  readonly itemCount: number;
  readonly failed: readonly ({
    readonly index: number;
    readonly filenameBase: string | null;
    readonly format: string;
    readonly error: string;
    readonly code: string;
  })[];
  readonly warnings: readonly {
    readonly index: number;
    readonly warnings: readonly {
      readonly code: string;
      readonly message: string;
    }[];
  }[];
}

export interface Usage {
  readonly plan: 'anonymous' | 'free' | 'pro';
  readonly status: 'active' | 'suspended' | 'canceled';
  readonly api_credits_balance: number;
  readonly api_credits_used_this_period: number;
  readonly monthly_credits_quota: number;
  readonly key_prefix: string;
  readonly history: readonly {
    readonly date: string;
    readonly conversions: number;
    readonly exports: number;
    readonly credits_used: number;
    readonly failures: number;
  }[];
}

export interface Capabilities {
  readonly inputFormats: readonly {
    readonly id: string;
    readonly mediaType: string;
  }[];
  readonly exportFormats: readonly ({
    readonly id: string;
    readonly label: string;
    readonly mediaType: string;
    readonly extension: string;
    readonly plan: 'anonymous' | 'pro';
    readonly features: readonly string[];
    readonly availability: {
      readonly state: 'available' | 'unavailable';
      readonly reason?: string | undefined;
    };
    readonly options: readonly string[];
  })[];
  readonly exportOptions: readonly ({
    readonly name: string;
    readonly meaning: string;
    readonly unit?: string | undefined;
    readonly type: string;
    readonly default: string | number | boolean | null;
    readonly values?: readonly string[] | undefined;
    readonly min?: number | undefined;
    readonly max?: number | undefined;
    readonly maxLength?: number | undefined;
    /** By format: how it takes the option, or null where it cannot honour it. */
    readonly formats: Readonly<Record<string, {
      readonly type: string;
      readonly default: string | number | boolean | null;
      readonly values?: readonly string[] | undefined;
      readonly min?: number | undefined;
      readonly max?: number | undefined;
      readonly maxLength?: number | undefined;
    } | null>>;
  })[];
  readonly presets: readonly {
    readonly id: string;
    readonly label: string;
    readonly meaning: string;
    readonly settings: Readonly<Record<string, unknown>>;
  }[];
  readonly qualityProfiles: readonly {
    readonly id: string;
    readonly label: string;
    readonly meaning: string;
    readonly settings: Readonly<Record<string, unknown>>;
  }[];
  readonly qualityTiers: readonly ({
    readonly id: 'fast' | 'balanced_crisp' | 'high_precision';
    readonly meaning: string;
    readonly credits: number;
    readonly maxWorkingPixels: number;
    readonly runLimitSeconds: number;
    readonly waitLimitSeconds: number;
    readonly maxWaiting: number;
  })[];
  readonly edgeRecovery: readonly ({
    readonly id: string;
    readonly state: 'available' | 'unavailable';
    readonly reason?: string | undefined;
  })[];
  readonly engines: readonly ({
    readonly id: string;
    readonly version: string | null;
    /** By SPDX; null where it is not installed. */
    readonly license: string | null;
    readonly state: 'available' | 'unavailable';
    readonly reason?: string | undefined;
  })[];
  /** The JSON schema of each parameter. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly limits: {
    readonly maxUploadBytes: number;
    readonly maxSvgBytes: number;
    readonly maxZipRequestBytes: number;
    readonly maxPixels: number;
    readonly maxBatchFiles: number;
    readonly maxZipItems: number;
    readonly maxConcurrentPerKey: number;
    readonly requestsPerMinute: {
      readonly key: number;
      readonly anonymous: number;
    };
    readonly fileLifetimeMs: number;
  };
}

export interface Description {
  readonly name: string;
  readonly version: string;
  readonly links: Readonly<Record<string, {
    readonly method: string;
    readonly href: string;
    readonly summary: string;
  }>>;
  readonly capabilities: {
    readonly inputFormats: readonly {
      readonly id: string;
      readonly mediaType: string;
    }[];
    readonly exportFormats: readonly ({
      readonly id: string;
      readonly label: string;
      readonly mediaType: string;
      readonly extension: string;
      readonly plan: 'anonymous' | 'pro';
      readonly features: readonly string[];
      readonly availability: {
        readonly state: 'available' | 'unavailable';
        readonly reason?: string | undefined;
      };
      readonly options: readonly string[];
    })[];
    readonly exportOptions: readonly ({
      readonly name: string;
      readonly meaning: string;
      readonly unit?: string | undefined;
      readonly type: string;
      readonly default: string | number | boolean | null;
      readonly values?: readonly string[] | undefined;
      readonly min?: number | undefined;
      readonly max?: number | undefined;
      readonly maxLength?: number | undefined;
      /** By format: how it takes the option, or null where it cannot honour it. */
      readonly formats: Readonly<Record<string, {
        readonly type: string;
        readonly default: string | number | boolean | null;
        readonly values?: readonly string[] | undefined;
        readonly min?: number | undefined;
        readonly max?: number | undefined;
        readonly maxLength?: number | undefined;
      } | null>>;
    })[];
    readonly presets: readonly {
      readonly id: string;
      readonly label: string;
      readonly meaning: string;
      readonly settings: Readonly<Record<string, unknown>>;
    }[];
    readonly qualityProfiles: readonly {
      readonly id: string;
      readonly label: string;
      readonly meaning: string;
      readonly settings: Readonly<Record<string, unknown>>;
    }[];
    readonly qualityTiers: readonly ({
      readonly id: 'fast' | 'balanced_crisp' | 'high_precision';
      readonly meaning: string;
      readonly credits: number;
      readonly maxWorkingPixels: number;
      readonly runLimitSeconds: number;
      readonly waitLimitSeconds: number;
      readonly maxWaiting: number;
    })[];
    readonly edgeRecovery: readonly ({
      readonly id: string;
      readonly state: 'available' | 'unavailable';
      readonly reason?: string | undefined;
    })[];
    readonly engines: readonly ({
      readonly id: string;
      readonly version: string | null;
      /** By SPDX; null where it is not installed. */
      readonly license: string | null;
      readonly state: 'available' | 'unavailable';
      readonly reason?: string | undefined;
    })[];
    /** The JSON schema of each parameter. */
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly limits: {
      readonly maxUploadBytes: number;
      readonly maxSvgBytes: number;
      readonly maxZipRequestBytes: number;
      readonly maxPixels: number;
      readonly maxBatchFiles: number;
      readonly maxZipItems: number;
      readonly maxConcurrentPerKey: number;
      readonly requestsPerMinute: {
        readonly key: number;
        readonly anonymous: number;
      };
      readonly fileLifetimeMs: number;
    };
  };
}

export interface Status {
  readonly status: 'ok' | 'degraded';
  readonly version: string;
  readonly engine: string;
  readonly uptime_seconds: number;
  readonly time: string;
}

export interface Health {
  readonly status: 'ok' | 'unavailable';
  readonly checks: Readonly<Record<string, 'ok' | 'failing'>>;
  readonly queues: {
    readonly fast: {
      readonly waiting: number;
      readonly running: number;
      readonly capacity: number;
    };
    readonly balanced_crisp: {
      readonly waiting: number;
      readonly running: number;
      readonly capacity: number;
    };
    readonly high_precision: {
      readonly waiting: number;
      readonly running: number;
      readonly capacity: number;
    };
  };
}

export interface Liveness {
  readonly status: 'ok';
}

export interface Readiness {
  readonly status: 'ok' | 'unavailable';
  readonly checks: Readonly<Record<string, 'ok' | 'failing'>>;
}

export interface SignInRequest {
  readonly email: string;
  /** 10 to 200 characters. */
  readonly password: string;
}

export interface LinkRequest {
  /** The token of a one-time link. */
  readonly token: string;
  /** 10 to 200 characters. */
  readonly password?: string | undefined;
}

export interface AccountRequest {
  readonly email?: string | undefined;
  /** 10 to 200 characters. */
  readonly password?: string | undefined;
  /** 10 to 200 characters. */
  readonly current_password?: string | undefined;
}

export interface KeyRequest {
  readonly name: string;
}

export interface InviteRequest {
  readonly email: string;
  readonly plan: 'free' | 'pro';
}

export interface AccountChangeRequest {
  readonly plan?: 'free' | 'pro' | undefined;
  readonly status?: 'active' | 'suspended' | 'canceled' | undefined;
}

export interface GrantRequest {
  /** A pack: 500, 1500, 4000. */
  readonly credits: number;
  /** A name of your own: granted twice, it counts once. */
  readonly reference?: string | undefined;
}

export interface Session {
  /** `owner_at_home`: nobody is signed in, and the page is open on the machine that runs the service. */
  readonly as: 'nobody' | 'session' | 'owner_at_home' | 'key';
  readonly account: {
    readonly id: string;
    readonly role: 'owner' | 'member';
    readonly email: string | null;
    readonly plan: 'free' | 'pro';
    readonly status: 'active' | 'suspended' | 'canceled';
    readonly created_at: string;
  } | null;
  readonly credits: number | null;
  readonly session: {
    readonly id: string;
    readonly user_agent: string;
    readonly created_at: string;
    readonly expires_at: string;
  } | null;
  /** Whether work is done for who has no account. */
  readonly anonymous_allowed: boolean;
}

export interface Link {
  readonly purpose: 'sign-in' | 'invite' | 'reset';
  readonly email: string | null;
  readonly expires_at: string;
  readonly needs_password: boolean;
}

export interface Account {
  readonly account: {
    readonly id: string;
    readonly role: 'owner' | 'member';
    readonly email: string | null;
    readonly plan: 'free' | 'pro';
    readonly status: 'active' | 'suspended' | 'canceled';
    readonly created_at: string;
  };
  readonly has_password: boolean;
  readonly usage: {
    readonly plan: 'anonymous' | 'free' | 'pro';
    readonly status: 'active' | 'suspended' | 'canceled';
    readonly api_credits_balance: number;
    readonly api_credits_used_this_period: number;
    readonly monthly_credits_quota: number;
    readonly history: readonly {
      readonly date: string;
      readonly conversions: number;
      readonly exports: number;
      readonly credits_used: number;
      readonly failures: number;
    }[];
  };
}

export interface AccountView {
  readonly id: string;
  readonly role: 'owner' | 'member';
  readonly email: string | null;
  readonly plan: 'free' | 'pro';
  readonly status: 'active' | 'suspended' | 'canceled';
  readonly created_at: string;
}

export interface Key {
  readonly id: string;
  readonly prefix: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export interface Keys {
  readonly keys: readonly ({
    readonly id: string;
    readonly prefix: string;
    readonly name: string;
    readonly created_at: string;
    readonly last_used_at: string | null;
    readonly revoked_at: string | null;
  })[];
}

export interface NewKey {
  readonly key: {
    readonly id: string;
    readonly prefix: string;
    readonly name: string;
    readonly created_at: string;
    readonly last_used_at: string | null;
    readonly revoked_at: string | null;
  };
  /** The whole key, told this once. */
  readonly secret: string;
}

export interface Charges {
  readonly charges: readonly ({
    readonly kind: 'quota' | 'grant' | 'hold' | 'settle' | 'release' | 'expire';
    readonly period: string;
    /** Change of the monthly credits. */
    readonly monthly: number;
    /** Change of the pack credits. */
    readonly pack: number;
    /** Credits spent for good. */
    readonly used: number;
    readonly hold_id: string | null;
    readonly reference: string | null;
    readonly at: string;
  })[];
}

export interface AccountErrors {
  readonly errors: readonly {
    readonly request_id: string;
    readonly code: string;
    readonly error: string;
    readonly operation: string;
    readonly at: string;
  }[];
}

export interface Sessions {
  readonly sessions: readonly {
    readonly id: string;
    readonly user_agent: string;
    readonly created_at: string;
    readonly expires_at: string;
  }[];
}

export interface Ended {
  readonly ended: number;
}

export interface Accounts {
  readonly accounts: readonly ({
    readonly id: string;
    readonly role: 'owner' | 'member';
    readonly email: string | null;
    readonly plan: 'free' | 'pro';
    readonly status: 'active' | 'suspended' | 'canceled';
    readonly created_at: string;
    readonly credits: number;
  })[];
}

export interface AccountLink {
  readonly account: {
    readonly id: string;
    readonly role: 'owner' | 'member';
    readonly email: string | null;
    readonly plan: 'free' | 'pro';
    readonly status: 'active' | 'suspended' | 'canceled';
    readonly created_at: string;
  };
  /** To be handed over: it works once. */
  readonly link: string;
  readonly expires_at: string;
}

export interface Removed {
  readonly account: {
    readonly id: string;
    readonly role: 'owner' | 'member';
    readonly email: string | null;
    readonly plan: 'free' | 'pro';
    readonly status: 'active' | 'suspended' | 'canceled';
    readonly created_at: string;
  };
  readonly files: number;
}

export interface Grant {
  readonly account: {
    readonly id: string;
    readonly role: 'owner' | 'member';
    readonly email: string | null;
    readonly plan: 'free' | 'pro';
    readonly status: 'active' | 'suspended' | 'canceled';
    readonly created_at: string;
  };
  readonly credits: number;
}

export type ErrorCode = 'INVALID_REQUEST' | 'UNSUPPORTED_FORMAT' | 'UNAUTHORIZED' | 'FORBIDDEN' | 'PLAN_REQUIRED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'IDEMPOTENCY_CONFLICT' | 'REQUEST_IN_PROGRESS' | 'PAYLOAD_TOO_LARGE' | 'IMAGE_TOO_LARGE' | 'TOO_MANY_FILES' | 'UNSUPPORTED_IMAGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'UNREADABLE_IMAGE' | 'INVALID_SVG' | 'EXPORT_FAILED' | 'CONVERSION_FAILED' | 'INSUFFICIENT_CREDITS' | 'RATE_LIMITED' | 'API_KEY_BUSY' | 'QUEUE_FULL' | 'AT_CAPACITY' | 'WORKER_LOST' | 'QUEUE_TIMEOUT' | 'CONVERSION_TIMEOUT' | 'STORAGE_FULL' | 'UPSTREAM_UNAVAILABLE' | 'INTERNAL_ERROR';
