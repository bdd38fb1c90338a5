/** The digits of the smallest integer outside of the safe range. */
const minDigits = 16

/** Reports whether a text in UTF-8 has at least 16 digits in a row. Reads a sixteenth of most texts. */
export function hasLongDigits(bytes: Uint8Array): boolean {
  for (let at = minDigits - 1; at < bytes.length; at += minDigits) {
    if (!isDigit(bytes[at])) continue
    let start = at
    let end = at + 1
    while (isDigit(bytes[start - 1])) start -= 1
    while (end - start < minDigits && isDigit(bytes[end])) end += 1
    if (end - start >= minDigits) return true
  }
  return false
}

/** Writes the integers outside of the safe range as strings. Fractions and exponents stay. `json` is valid. */
export function quoteLargeIntegers(json: string): string {
  let quoted = ''
  let copied = 0
  for (let at = 0; at < json.length;) {
    const code = json.charCodeAt(at)
    if (code === quote) at = findStringEnd(json, at)
    else if (code !== minus && !isDigit(code)) at += 1
    else {
      const end = findNumberEnd(json, at)
      const number = json.slice(at, end)
      if (isLarge(number)) {
        quoted += `${json.slice(copied, at)}"${number}"`
        copied = end
      }
      at = end
    }
  }
  return quoted + json.slice(copied)
}

const isLarge = (number: string): boolean =>
  number.length >= minDigits && !/[.eE]/.test(number) && !Number.isSafeInteger(Number(number))

const quote = 0x22
const minus = 0x2d

const isDigit = (code: number | undefined): boolean => code !== undefined && code >= 0x30 && code <= 0x39

/** Returns the index after the quote that closes a string. */
export function findStringEnd(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); ; at = json.indexOf('"', at + 1)) {
    let escapes = at
    while (json[escapes - 1] === '\\') escapes -= 1
    if ((at - escapes) % 2 === 0) return at + 1
  }
}

function findNumberEnd(json: string, start: number): number {
  let end = start + 1
  while (end < json.length && !',]} \t\n\r'.includes(json.charAt(end))) end += 1
  return end
}
