import type { DeliveryHeaders } from '@sallyport/webhooks'
import type { LambdaEvent, LambdaEventV1, LambdaEventV2 } from './event.ts'

/** What both formats say of a request. */
export interface LambdaRequest {
  readonly method: string
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  readonly headers: DeliveryHeaders
  readonly stage: string | undefined
  readonly sourceIp: string | undefined
}

/** Whoever invokes the function chooses what it is given: an event's type is a hope. */
type Claimed = Partial<Omit<LambdaEventV1 & LambdaEventV2, 'requestContext' | 'headers'>> & {
  readonly headers?: LambdaEvent['headers']
  readonly requestContext?: Partial<LambdaEventV1['requestContext'] & LambdaEventV2['requestContext']>
}

/**
 * Reads the event of either format.
 *
 * @throws TypeError when it is another's: of a queue, a schedule, a load balancer
 */
export function readEvent(event: unknown): LambdaRequest {
  const told = (event ?? {}) as Claimed
  const context = told.requestContext
  if (typeof told.rawPath === 'string' && typeof context?.http?.method === 'string') {
    return {
      method: context.http.method,
      path: told.rawPath,
      query: told.rawQueryString ?? '',
      headers: headersOf(told.headers),
      stage: context.stage,
      sourceIp: context.http.sourceIp,
    }
  }
  const balanced = context !== undefined && 'elb' in context
  if (typeof told.path === 'string' && typeof told.httpMethod === 'string' && !balanced) {
    return {
      method: told.httpMethod,
      path: told.path,
      query: queryOf(told.multiValueQueryStringParameters),
      headers: headersOf(told.multiValueHeaders ?? told.headers),
      stage: context?.stage,
      sourceIp: context?.identity?.sourceIp,
    }
  }
  throw new TypeError(
    'This event is not a request of a function URL or of API Gateway (payload format 2.0 or 1.0): ' +
      'let nothing else invoke this function',
  )
}

function headersOf(headers: LambdaEventV2['headers'] | LambdaEventV1['multiValueHeaders']): DeliveryHeaders {
  const folded = new Map<string, string>()
  for (const [name, given] of Object.entries<Given>(headers ?? {})) {
    const values = valuesOf(given)
    if (values.length === 0) continue
    const value = values.join(', ')
    // The format 1.0 keeps the sender's spelling, so that one name can stand there in two.
    const before = folded.get(name.toLowerCase())
    folded.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`)
  }
  return {
    get: (name) => folded.get(name.toLowerCase()) ?? null,
    [Symbol.iterator]: () => folded[Symbol.iterator](),
  }
}

function queryOf(parameters: LambdaEventV1['multiValueQueryStringParameters']): string {
  const query = new URLSearchParams()
  for (const [name, given] of Object.entries(parameters ?? {})) {
    for (const value of valuesOf(given)) query.append(name, value)
  }
  return query.toString()
}

type Given = string | readonly (string | null)[] | null | undefined

/** The values that are there: what tools make of a request in JSON has null for the others. */
const valuesOf = (given: Given): readonly string[] =>
  [given].flat().filter((value) => value !== null && value !== undefined)
