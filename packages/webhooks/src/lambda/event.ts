import type { DeliveryHeaders } from '@sallyport/webhooks'
import type { BodySink } from '../gateway/body-budget.ts'
import { bodyAborted } from '../ports/refusals.ts'
import { asReceived, encodings, listPresent, listQueries, type Parameters } from './queries.ts'

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

/**
 * A request of an Application Load Balancer, with single or multiple values.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-alb.html
 */
export interface LambdaEventAlb extends LambdaBody {
  readonly httpMethod: string
  readonly path: string
  readonly headers?: ByName<string> | null | undefined
  readonly multiValueHeaders?: ByName<readonly string[]> | null | undefined
  /** As the sender wrote them. */
  readonly queryStringParameters?: ByName<string> | null | undefined
  readonly multiValueQueryStringParameters?: ByName<readonly string[]> | null | undefined
  readonly requestContext: { readonly elb: object }
}

/**
 * A request of VPC Lattice in the version 2.0.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-vpc-lattice.html
 */
export interface LambdaEventLattice extends LambdaBody {
  readonly method: string
  readonly path: string
  readonly headers?: ByName<readonly string[]> | null | undefined
  readonly queryStringParameters?: ByName<readonly string[]> | null | undefined
  readonly requestContext: { readonly serviceArn: string }
}

export type LambdaEvent = LambdaEventV1 | LambdaEventV2 | LambdaEventAlb | LambdaEventLattice

/** A response for every source of events. */
export interface LambdaResult {
  statusCode: number
  /** Empty when `multiValueHeaders` is present. */
  headers: Record<string, string>
  /** For a load balancer with multiple values, which ignores `headers`. */
  multiValueHeaders?: Record<string, string[]>
  body: string
  isBase64Encoded: false
}

/** A request of any source. */
export interface LambdaRequest {
  readonly method: string
  readonly path: string
  /** The query without the question mark: the most usual one first when the source passes it decoded. */
  readonly queries: readonly string[]
  readonly headers: DeliveryHeaders
  readonly stage: string | undefined
  readonly sourceIp: string | undefined
  /** Whether a load balancer expects the response with multiple values. */
  readonly hasMultipleValues?: boolean
}

/** An event before its check: any caller with access can invoke the function with any value. */
interface UncheckedEvent {
  readonly rawPath?: unknown
  readonly rawQueryString?: string
  readonly httpMethod?: unknown
  readonly method?: unknown
  readonly path?: unknown
  readonly headers?: LambdaEvent['headers']
  readonly multiValueHeaders?: LambdaEventV1['multiValueHeaders']
  readonly queryStringParameters?: Parameters
  readonly multiValueQueryStringParameters?: Parameters
  readonly requestContext?: Partial<LambdaEventV1['requestContext'] & LambdaEventV2['requestContext']> & {
    readonly elb?: unknown
    readonly serviceArn?: unknown
  }
}

/**
 * Reads the event of any source of requests.
 *
 * @throws TypeError for events of other sources, such as queues and schedules
 */
export function readEvent(event: unknown): LambdaRequest {
  const given = (event ?? {}) as UncheckedEvent
  const context = given.requestContext
  if (typeof given.rawPath === 'string' && typeof context?.http?.method === 'string') {
    return {
      method: context.http.method,
      path: given.rawPath,
      queries: [given.rawQueryString ?? ''],
      headers: readHeaders(given.headers),
      stage: context.stage,
      sourceIp: context.http.sourceIp,
    }
  }
  if (typeof given.path === 'string' && typeof given.httpMethod === 'string') {
    const parameters = given.multiValueQueryStringParameters ?? given.queryStringParameters
    const headers = readHeaders(given.multiValueHeaders ?? given.headers)
    const isBalanced = context?.elb !== undefined
    return {
      method: given.httpMethod,
      path: given.path,
      queries: listQueries(parameters, isBalanced ? asReceived : encodings),
      headers,
      stage: context?.stage,
      hasMultipleValues: isBalanced && given.multiValueHeaders != null,
      sourceIp: isBalanced ? readLastHop(headers) : context?.identity?.sourceIp,
    }
  }
  if (typeof given.path === 'string' && typeof given.method === 'string' && context?.serviceArn !== undefined)
    return {
      method: given.method,
      path: given.path,
      // The documentation does not say whether the parameters are decoded.
      queries: listQueries(given.queryStringParameters, [...asReceived, ...encodings]),
      headers: readHeaders(given.headers),
      stage: undefined,
      sourceIp: undefined,
    }
  throw new TypeError(
    'This event is not a request of a function URL, of API Gateway (payload format 2.0 or 1.0), of an Application ' +
      'Load Balancer or of VPC Lattice (version 2.0): invoke this function from these sources only',
  )
}

/** In its default mode, `append`, the load balancer appends the address of its client. */
const readLastHop = (headers: DeliveryHeaders): string | undefined =>
  headers.get('x-forwarded-for')?.split(',').at(-1)?.trim()

function readHeaders(headers: LambdaEvent['headers'] | LambdaEventV1['multiValueHeaders']): DeliveryHeaders {
  const folded = new Map<string, string>()
  for (const [name, given] of Object.entries<NonNullable<Parameters>[string]>(headers ?? {})) {
    const values = listPresent(given)
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
