import { bodyAborted, type BodySink, type DeliveryHeaders } from '@sallyport/webhooks'

// These types hold only the members that the handler reads, so that other declarations of the events are assignable.

type ByName<Value> = Readonly<Record<string, Value | undefined>>

interface LambdaBody {
  readonly body?: string | null | undefined
  /** Whether the body is base64: API Gateway encodes bodies with a binary content type. @default false */
  readonly isBase64Encoded?: boolean | undefined
}

/**
 * A request in the payload format 2.0, from an HTTP API or a function URL.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export interface LambdaEventV2 extends LambdaBody {
  /** Starts with the name of the stage, unless the stage is `$default`. */
  readonly rawPath: string
  readonly rawQueryString?: string | undefined
  /** Values by lower-case name. Several values of one header are joined by commas. */
  readonly headers?: ByName<string> | null | undefined
  readonly requestContext: {
    readonly http: { readonly method: string; readonly sourceIp?: string | undefined }
    readonly stage?: string | undefined
  }
}

/**
 * A request in the payload format 1.0, from a REST API or an HTTP API.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export interface LambdaEventV1 extends LambdaBody {
  readonly httpMethod: string
  readonly path: string
  readonly headers?: ByName<string> | null | undefined
  /** All values of each header; `headers` has only the last value. */
  readonly multiValueHeaders?: ByName<readonly string[]> | null | undefined
  /** Decoded. */
  readonly multiValueQueryStringParameters?: ByName<readonly string[]> | null | undefined
  readonly requestContext: {
    readonly identity?: { readonly sourceIp?: string | undefined } | undefined
    readonly stage?: string | undefined
  }
}

export type LambdaEvent = LambdaEventV1 | LambdaEventV2

/** A response in both payload formats. */
export interface LambdaResult {
  statusCode: number
  headers: Record<string, string>
  body: string
  isBase64Encoded: false
}

/** A request in either payload format. */
export interface LambdaRequest {
  readonly method: string
  readonly path: string
  /** The query without the question mark. */
  readonly query: string
  readonly headers: DeliveryHeaders
  readonly stage: string | undefined
  readonly sourceIp: string | undefined
}

/** An event before its check: any caller with access can invoke the function with any value. */
type UncheckedEvent = Partial<Omit<LambdaEventV1 & LambdaEventV2, 'requestContext' | 'headers'>> & {
  readonly headers?: LambdaEvent['headers']
  readonly requestContext?: Partial<LambdaEventV1['requestContext'] & LambdaEventV2['requestContext']>
}

/**
 * Reads the event of either format.
 *
 * @throws TypeError for events of other sources, such as queues, schedules and load balancers
 */
export function readEvent(event: unknown): LambdaRequest {
  const given = (event ?? {}) as UncheckedEvent
  const context = given.requestContext
  if (typeof given.rawPath === 'string' && typeof context?.http?.method === 'string') {
    return {
      method: context.http.method,
      path: given.rawPath,
      query: given.rawQueryString ?? '',
      headers: readHeaders(given.headers),
      stage: context.stage,
      sourceIp: context.http.sourceIp,
    }
  }
  const balanced = context !== undefined && 'elb' in context
  if (typeof given.path === 'string' && typeof given.httpMethod === 'string' && !balanced) {
    return {
      method: given.httpMethod,
      path: given.path,
      query: formatQuery(given.multiValueQueryStringParameters),
      headers: readHeaders(given.multiValueHeaders ?? given.headers),
      stage: context?.stage,
      sourceIp: context?.identity?.sourceIp,
    }
  }
  throw new TypeError(
    'This event is not a request of a function URL or of API Gateway (payload format 2.0 or 1.0): ' +
      'invoke this function from these sources only',
  )
}

function readHeaders(
  headers: LambdaEventV2['headers'] | LambdaEventV1['multiValueHeaders'],
): DeliveryHeaders {
  const folded = new Map<string, string>()
  for (const [name, given] of Object.entries<HeaderValue>(headers ?? {})) {
    const values = listValues(given)
    if (values.length === 0) continue
    const value = values.join(', ')
    // The format 1.0 keeps the spelling of the sender, so a name can occur in two spellings.
    const before = folded.get(name.toLowerCase())
    folded.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`)
  }
  return {
    get: (name) => folded.get(name.toLowerCase()) ?? null,
    [Symbol.iterator]: () => folded[Symbol.iterator](),
  }
}

function formatQuery(parameters: LambdaEventV1['multiValueQueryStringParameters']): string {
  const query = new URLSearchParams()
  for (const [name, values] of Object.entries(parameters ?? {})) {
    for (const value of listValues(values)) query.append(name, value)
  }
  return query.toString()
}

type HeaderValue = string | readonly (string | null)[] | null | undefined

/** Lists the present values. Tools that serialize events as JSON write null for missing values. */
const listValues = (given: HeaderValue): readonly string[] =>
  [given].flat().filter((value) => value !== null && value !== undefined)

/**
 * Passes the body to the sink.
 *
 * @throws SallyportError `BAD_REQUEST` (400) for invalid base64: a lenient decoder would change the signed bytes
 */
export function readBody({ body, isBase64Encoded }: LambdaEvent, sink: BodySink): Promise<void> {
  return new Promise((resolve) => {
    if (body !== undefined && body !== null) sink.push(decodeBody(body, isBase64Encoded === true))
    resolve()
  })
}

function decodeBody(body: string, isBase64Encoded: boolean): Buffer {
  if (!isBase64Encoded) return Buffer.from(body)
  const bytes = Buffer.from(body, 'base64')
  if (bytes.toString('base64') !== body) throw bodyAborted()
  return bytes
}
