import { SallyportError } from '@sallyport/errors'

const json = 'application/json'
const problemJson = 'application/problem+json'

/**
 * Selects the offer with the highest quality in an `Accept` header; of equal offers, the first.
 *
 * Without a header every offer is acceptable. The most specific range that matches an offer decides its quality.
 * Parameters other than `q` are ignored, and so is a malformed range. For compatibility, `*` means any type, and a
 * quality may lack its zero or have more than three digits.
 *
 * @param offers media types without parameters, such as `application/json`
 * @returns one of the offers; `undefined` when none is acceptable
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
export function negotiateMediaType<const Offer extends string>(
  accept: string | undefined,
  offers: readonly Offer[],
): Offer | undefined {
  if (accept === undefined || accept.trim() === '') return offers[0]
  const ranges = parseAccept(accept)
  let best: { readonly offer: Offer; readonly quality: number } | undefined
  for (const offer of offers) {
    const { quality } = rangeFor(offer, ranges)
    if (quality > (best?.quality ?? 0)) best = { offer, quality }
  }
  return best?.offer
}

/**
 * Rejects a request whose `Accept` excludes all media types of a route's responses. `application/problem+json` by name is
 * acceptable because it selects the format of errors.
 *
 * @throws SallyportError `NOT_ACCEPTABLE` (406)
 */
export function requireAccepts(accept: string | undefined, types: readonly string[]): void {
  if (types.includes('*')) return
  if (negotiateMediaType(accept, types) !== undefined || namesProblem(accept)) return
  const message = `Responses are ${types.join(' or ')}; accept that type or omit Accept`
  throw new SallyportError('NOT_ACCEPTABLE', message)
}

/**
 * Returns whether `Accept` prefers `application/problem+json` for errors.
 *
 * The header names `application/problem+json`, with a higher quality than `application/json`. JSON wins a tie that
 * names both; a wildcard of the same quality does not.
 */
export function prefersProblemJson(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const ranges = parseAccept(accept)
  const problem = rangeFor(problemJson, ranges)
  const plain = rangeFor(json, ranges)
  if (!problem.exact || problem.quality === 0) return false
  return plain.exact ? problem.quality > plain.quality : problem.quality >= plain.quality
}

function namesProblem(accept = ''): boolean {
  const { exact, quality } = rangeFor(problemJson, parseAccept(accept))
  return exact && quality > 0
}

interface MediaRange {
  readonly type: string
  readonly quality: number
}

function parseAccept(accept: string): readonly MediaRange[] {
  return accept.split(',').flatMap((part) => {
    const [sent = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    // Java's URLConnection sends `*; q=.2` (JDK-8163921).
    const type = sent === '*' ? '*/*' : sent
    if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return []
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    if (!/^(0?\.\d+|0\.?|1(\.0*)?)$/.test(q)) return []
    return [{ type, quality: Number(q) }]
  })
}

/** The quality of a media type by the most specific matching range; 0 without a match. */
function rangeFor(type: string, ranges: readonly MediaRange[]): { quality: number; exact: boolean } {
  for (const candidate of [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*']) {
    const matching = ranges.filter((range) => range.type === candidate)
    if (matching.length > 0) {
      return { quality: Math.max(...matching.map((range) => range.quality)), exact: candidate === type }
    }
  }
  return { quality: 0, exact: false }
}
