import { SallyportError } from '@sallyport/errors'

const json = 'application/json'
const problemJson = 'application/problem+json'

/**
 * The offer that an `Accept` header prefers: by quality, among equals the first offered.
 *
 * Without a header everything is accepted. The most specific range that matches an offer decides its quality;
 * parameters other than `q` are not compared. A range that cannot be read is skipped; a lone `*` means any type,
 * and a quality may lack its zero, or have more than three digits.
 *
 * @param offers media types without parameters, such as `application/json`
 * @returns one of the offers, or `undefined` when none is acceptable
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 *
 * @example
 * ```ts
 * import { negotiate } from '@sallyport/rest'
 *
 * negotiate('text/html, application/*;q=0.8', ['application/json']) // 'application/json'
 * ```
 */
export function negotiate<const Offer extends string>(
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
 * Refuses a request whose `Accept` excludes `application/json`. One that names `application/problem+json` passes: it
 * says how errors are wanted. A wildcard does not say so.
 *
 * @throws SallyportError `NOT_ACCEPTABLE` (406)
 *
 * @example
 * ```ts
 * import { requireAcceptable } from '@sallyport/rest'
 *
 * requireAcceptable('application/problem+json') // passes
 * ```
 */
export function requireAcceptable(accept: string | undefined): void {
  if (negotiate(accept, [json]) === undefined && !namesProblem(accept)) {
    throw new SallyportError(
      'NOT_ACCEPTABLE',
      'Responses are application/json; accept that, or leave Accept out',
    )
  }
}

/**
 * Whether errors are wanted as `application/problem+json`: named as such, and no less than `application/json`.
 *
 * @example
 * ```ts
 * import { prefersProblem } from '@sallyport/rest'
 *
 * prefersProblem('application/json, application/problem+json') // true
 * prefersProblem('text/html') // false
 * ```
 */
export function prefersProblem(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const ranges = parseAccept(accept)
  const problem = rangeFor(problemJson, ranges)
  return problem.exact && problem.quality > 0 && problem.quality >= rangeFor(json, ranges).quality
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

/** The quality of a media type by the most specific range that matches it; 0 when none does. */
function rangeFor(type: string, ranges: readonly MediaRange[]): { quality: number; exact: boolean } {
  for (const candidate of [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*']) {
    const matching = ranges.filter((range) => range.type === candidate)
    if (matching.length > 0) {
      return { quality: Math.max(...matching.map((range) => range.quality)), exact: candidate === type }
    }
  }
  return { quality: 0, exact: false }
}
