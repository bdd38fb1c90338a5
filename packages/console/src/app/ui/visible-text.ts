/** A piece of text, or a character that a reader would not see or that changes the order of others. */
export type TextPiece = { readonly text: string } | { readonly label: string; readonly name: string }

const names: Readonly<Record<number, string>> = {
  0x061c: 'ALM',
  0x200b: 'ZWSP',
  0x200e: 'LRM',
  0x200f: 'RLM',
  0x202a: 'LRE',
  0x202b: 'RLE',
  0x202c: 'PDF',
  0x202d: 'LRO',
  0x202e: 'RLO',
  0x2060: 'WJ',
  0x2066: 'LRI',
  0x2067: 'RLI',
  0x2068: 'FSI',
  0x2069: 'PDI',
  0xfeff: 'BOM',
}

// Controls but tab and line feed, zero-width characters, bidirectional controls, tags and lone surrogates.
const invisible =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu

/** Splits text at invisible characters, which get a visible label. */
export function splitVisible(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  let end = 0
  for (const match of text.matchAll(invisible)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) })
    pieces.push(describe(match[0].codePointAt(0) ?? 0))
    end = match.index + match[0].length
  }
  if (end < text.length) pieces.push({ text: text.slice(end) })
  return pieces
}

/** Splits text after the characters that separate the words of names. */
export const splitWords = (text: string): readonly string[] => text.split(/(?<=[/._:@])(?=[^\s/._:@])/)

function describe(code: number): TextPiece {
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  // The pictures of control characters.
  const picture = code < 0x20 ? String.fromCodePoint(0x2400 + code) : code === 0x7f ? '\u2421' : undefined
  return { label: picture ?? names[code] ?? name, name }
}
