// The parts of the events that the handler reads; what AWS sends, and the types that others declare of it, fit in.

type ByName<Value> = Readonly<Record<string, Value | undefined>>

interface LambdaBody {
  readonly body?: string | null | undefined
  /** Whether the body is base64: what API Gateway takes for binary is, by its content type. @default false */
  readonly isBase64Encoded?: boolean | undefined
}

/**
 * A request in the payload format 2.0: of an HTTP API, or of a function URL.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export interface LambdaEventV2 extends LambdaBody {
  /** With the name of the stage in front, unless that is `$default`. */
  readonly rawPath: string
  readonly rawQueryString?: string | undefined
  /** By lower-case name, several values of one joined by commas. */
  readonly headers?: ByName<string> | null | undefined
  readonly requestContext: {
    readonly http: { readonly method: string; readonly sourceIp?: string | undefined }
    readonly stage?: string | undefined
  }
}

/**
 * A request in the payload format 1.0: of a REST API, or of an HTTP API that is set to it.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export interface LambdaEventV1 extends LambdaBody {
  readonly httpMethod: string
  readonly path: string
  readonly headers?: ByName<string> | null | undefined
  /** Every value of every header; `headers` has the last one only. */
  readonly multiValueHeaders?: ByName<readonly string[]> | null | undefined
  /** Decoded. */
  readonly multiValueQueryStringParameters?: ByName<readonly string[]> | null | undefined
  readonly requestContext: {
    readonly identity?: { readonly sourceIp?: string | undefined } | undefined
    readonly stage?: string | undefined
  }
}

export type LambdaEvent = LambdaEventV1 | LambdaEventV2

/** An answer that API Gateway and function URLs understand, in both formats. */
export interface LambdaResult {
  statusCode: number
  headers: Record<string, string>
  body: string
  isBase64Encoded: false
}
