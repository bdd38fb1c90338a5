import { toErrorResponse } from '@sallyport/errors'
import {
  normalizeBasePath,
  normalizePublicUrl,
  normalizeAddress,
  parseProviderSegment,
  type Gateway,
} from '@sallyport/webhooks'
import type { LambdaEvent, LambdaResult } from './event.ts'
import { readBody } from './read-body.ts'
import { readEvent } from './request.ts'

export interface LambdaHandlerOptions {
  /** The path that providers are found under, behind the name of the stage. @default '/webhooks' */
  readonly basePath?: string
  /**
   * The client's address. Behind CloudFront or another proxy, tell it from the headers of those that you trust.
   *
   * @default the address that the platform saw
   */
  readonly clientAddress?: (event: LambdaEvent) => string | undefined
  /**
   * What senders' addresses have in front of the base path, such as `https://hooks.example.com` or
   * `https://<id>.execute-api.<region>.amazonaws.com/<stage>`, for schemes that sign the address: an event does not
   * tell it where a custom domain is mapped. The query of the format 1.0 comes decoded and is encoded anew.
   */
  readonly publicUrl?: string
}

/**
 * A gateway as a handler of AWS Lambda, behind a function URL or API Gateway: an HTTP API (payload format 2.0, or 1.0)
 * or a REST API (proxy integration).
 *
 * - A function is frozen once it has answered: give the gateway a `publisher`, or an inbox that another process
 *   dispatches.
 * - Lambda refuses events over 6 MB by itself, base64 included, whatever a provider's limit.
 * - Each instance counts failures for itself; what has to hold over all of them is the affair of a shared `limiter`.
 *
 * The handler rejects with a TypeError when it is given any other event, which the platform then logs.
 *
 * @throws TypeError when the base path does not begin with a slash, or `publicUrl` is no http or https origin
 *
 * @example
 * ```ts
 * import type { Gateway } from '@sallyport/webhooks'
 * import { createLambdaHandler } from '@sallyport/webhooks/lambda'
 *
 * declare const gateway: Gateway
 * export const handler = createLambdaHandler(gateway)
 * ```
 */
export function createLambdaHandler(
  gateway: Gateway,
  options: LambdaHandlerOptions = {},
): (event: LambdaEvent) => Promise<LambdaResult> {
  const { clientAddress } = options
  const basePath = normalizeBasePath(options.basePath)
  const publicUrl = normalizePublicUrl(options.publicUrl)

  return async (event) => {
    const { method, path, query, headers, stage, sourceIp } = readEvent(event)
    let publicPath = path
    let provider: string | undefined
    let address: string | undefined
    try {
      provider = parseProviderSegment(path, basePath)
      if (provider === undefined) {
        publicPath = withoutStage(path, stage)
        provider = parseProviderSegment(publicPath, basePath)
      }
      if (provider !== undefined) address = clientAddress ? clientAddress(event) : sourceIp
    } catch (error) {
      const { status, headers, body } = toErrorResponse(error)
      return jsonResult(status, headers, body)
    }
    if (provider === undefined) {
      return jsonResult(404, {}, { error: { code: 'NOT_FOUND', message: 'There is nothing here' } })
    }
    const answer = await gateway.handle({
      method,
      provider,
      headers,
      query: new URLSearchParams(query),
      readBody: (sink) => readBody(event, sink),
      ...(address !== undefined && { address: normalizeAddress(address) }),
      ...(publicUrl !== undefined && { url: publicUrl + publicPath + (query === '' ? '' : `?${query}`) }),
    })
    return result(answer.status, answer.headers, answer.body)
  }
}

/**
 * The path behind the name of the stage, which API Gateway puts in front of it unless the stage is `$default`.
 *
 * Custom domains and REST APIs differ in whether they do, so that the path is tried as it is before.
 */
function withoutStage(path: string, stage: string | undefined): string {
  return stage !== undefined && path.startsWith(`/${stage}/`) ? path.slice(stage.length + 1) : path
}

function jsonResult(status: number, headers: Readonly<Record<string, string>>, body: unknown): LambdaResult {
  return result(
    status,
    { ...headers, 'content-type': 'application/json; charset=utf-8' },
    JSON.stringify(body),
  )
}

function result(statusCode: number, headers: Readonly<Record<string, string>>, body: string): LambdaResult {
  return { statusCode, headers: { ...headers }, body, isBase64Encoded: false }
}
