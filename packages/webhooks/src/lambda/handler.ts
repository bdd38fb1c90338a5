import { CodedError, toErrorResponse } from '@sallyport/errors'
import type { Gateway } from '@sallyport/webhooks'
import { normalizeBasePath, normalizePublicUrl, parseWebhookPath } from '../gateway/path.ts'
import { normalizeAddress } from '@sallyport/internal/client-address'
import { readBody, readEvent, type LambdaEvent, type LambdaResult } from './event.ts'

export interface LambdaHandlerOptions {
  /** The path before the name of the provider, without the name of the stage. @default '/webhooks' */
  readonly basePath?: string
  /**
   * Returns the client's address. Behind CloudFront or another proxy, read the address from a header of a trusted proxy.
   * A load balancer must have the mode `append` for `X-Forwarded-For`, which is its default: with `preserve` the last address
   * is the text of the sender, and with `remove` there is none.
   *
   * @default the address that the platform saw: the last one in `X-Forwarded-For` of a load balancer, and none of VPC Lattice
   */
  readonly clientAddress?: (event: LambdaEvent) => string | undefined
  /**
   * The public URL before the base path, such as `https://hooks.example.com` or
   * `https://<id>.execute-api.<region>.amazonaws.com/<stage>`, for schemes that sign the URL. An event does not contain
   * the mapping of a custom domain. The payload format 1.0 has a decoded query: the usual forms of the query are tried, up to
   * 16, with up to three names in any order.
   */
  readonly publicUrl?: string
}

/**
 * Creates a handler of AWS Lambda for a function URL, API Gateway (an HTTP API in the payload format 2.0 or 1.0, or a REST
 * API with proxy integration), an Application Load Balancer or VPC Lattice (version 2.0).
 *
 * - Lambda freezes a function after its response: give the gateway a `publisher`, or an inbox with a dispatcher in
 *   another process.
 * - Lambda rejects events over 6 MB, including base64, regardless of a provider's limit.
 * - Each instance counts failures separately. A shared `limiter` counts the failures of all instances.
 *
 * The handler rejects with a TypeError for other events.
 *
 * @throws TypeError if the base path does not start with a slash, or if `publicUrl` is not an http or https URL
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
    const { method, path, queries, headers, stage, sourceIp, hasMultipleValues } = readEvent(event)
    const createResult = hasMultipleValues ? createMultipleResult : createSingleResult
    let publicPath = path
    try {
      let webhook = parseWebhookPath(path, basePath, gateway)
      if (webhook === undefined) {
        publicPath = removeStage(path, stage)
        webhook = parseWebhookPath(publicPath, basePath, gateway)
      }
      if (webhook === undefined) throw new CodedError(404, 'NOT_FOUND', 'There is nothing here')
      const address = clientAddress ? clientAddress(event) : sourceIp
      const [url, ...alternativeUrls] =
        publicUrl === undefined
          ? []
          : queries.map((query) => publicUrl + publicPath + (query === '' ? '' : `?${query}`))
      const answer = await gateway.handle({
        method,
        ...webhook,
        headers,
        query: new URLSearchParams(queries[0]),
        readBody: (sink) => readBody(event, sink),
        ...(address !== undefined && { address: normalizeAddress(address) }),
        ...(url !== undefined && { url, alternativeUrls }),
      })
      return createResult(answer.status, answer.headers, answer.body)
    } catch (error) {
      const answer = toErrorResponse(error)
      const type = { 'content-type': 'application/json; charset=utf-8' }
      return createResult(answer.status, { ...answer.headers, ...type }, JSON.stringify(answer.body))
    }
  }
}

/**
 * Removes the name of the stage, which API Gateway puts before the path unless the stage is `$default`. Custom domains
 * omit it, so the handler first tries the complete path.
 */
function removeStage(path: string, stage: string | undefined): string {
  return stage !== undefined && path.startsWith(`/${stage}/`) ? path.slice(stage.length + 1) : path
}

const createSingleResult = (
  statusCode: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): LambdaResult => ({ statusCode, headers: { ...headers }, body, isBase64Encoded: false })

const createMultipleResult: typeof createSingleResult = (statusCode, headers, body) => ({
  ...createSingleResult(statusCode, {}, body),
  multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
})
