import type { GatewayEndpoint } from '../ports/ports.ts'
import {
  endpointDisabled,
  methodNotAllowed,
  unknownEndpoint,
  unknownProvider,
  unsupportedEncoding,
} from '../ports/refusals.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { Registry } from '../provider/registry.ts'
import { keepBlocked } from './blocks.ts'
import { isDeliveryMethod, listMethods } from './methods.ts'
import type { GatewayRequest } from './gateway-contract.ts'
import type { Pipeline, PipelineParts } from './pipeline-options.ts'

/** A request whose body the gateway reads. */
export interface Admission {
  readonly request: GatewayRequest
  readonly provider: AnyProvider
  readonly endpoint: GatewayEndpoint | undefined
  /** The key of the failure limiter. */
  readonly client: string | undefined
  readonly secrets: readonly string[]
}

/** @throws SallyportError `UNKNOWN_PROVIDER` (404) */
export function findProvider(registry: Pick<Registry, 'get'>, name: string): AnyProvider {
  const provider = registry.get(name)
  if (provider === undefined) throw unknownProvider()
  return provider
}

/** Reports whether a request asks for the methods, and is no challenge. */
export const asksForMethods = ({ handshake }: AnyProvider, method: string): boolean =>
  method === 'OPTIONS' && !handshake?.methods.includes('OPTIONS')

/** @throws SallyportError `METHOD_NOT_ALLOWED` (405), `UNSUPPORTED_MEDIA_TYPE` (415) for an unsigned Content-Encoding */
export function checkHead(provider: AnyProvider, { method, headers }: GatewayRequest): void {
  const { handshake, contentEncodings } = provider
  if (!isDeliveryMethod(provider, method) && !handshake?.methods.some((one) => one === method))
    throw methodNotAllowed(listMethods(provider))
  const encoding = headers.get('content-encoding')?.toLowerCase() || 'identity'
  if (encoding !== 'identity' && !contentEncodings?.includes(encoding)) throw unsupportedEncoding()
}

/**
 * Checks the limits of the endpoint and gets the secrets, before the body takes memory.
 *
 * @throws SallyportError `GONE` (410) or `UNKNOWN_ENDPOINT` (404) for a disabled endpoint, `RATE_LIMITED` (429),
 *   `PROVIDER_UNAVAILABLE` (503) without secrets
 */
export async function admit(
  pipeline: Pipeline,
  request: GatewayRequest,
  provider: AnyProvider,
  endpoint: GatewayEndpoint | undefined,
): Promise<Admission> {
  const { clientLimits, disabledEndpointStatus } = pipeline
  if (endpoint?.status === 'disabled')
    throw disabledEndpointStatus === 404 ? unknownEndpoint() : endpointDisabled()
  const secrets = await getSecrets(pipeline, provider, endpoint)
  const client = pipeline.getClient({ provider, endpoint, secrets }, request.address)
  const admission = { request, provider, endpoint, client, secrets }
  // The limit of an address was checked before.
  const block = client === request.address ? undefined : await clientLimits.findBlock(client)
  if (block) {
    await keepBlocked(pipeline, admission)
    throw block
  }
  if (endpoint) await clientLimits.checkEndpoint(endpoint)
  return admission
}

/** @throws SallyportError `UNKNOWN_ENDPOINT` (404) in a gateway with endpoints only, `PROVIDER_UNAVAILABLE` (503) */
export function getSecrets(
  { secrets }: Pick<PipelineParts, 'secrets'>,
  { name }: AnyProvider,
  endpoint: GatewayEndpoint | undefined,
): readonly string[] | Promise<readonly string[]> {
  if (endpoint) return endpoint.secrets
  if (secrets === undefined) throw unknownEndpoint()
  return secrets.getSecrets(name)
}

/**
 * Lets a request of a blocked address pass if the secrets of the provider changed recently, and keeps it for `onUnprocessed`
 * otherwise.
 *
 * @throws the block
 */
export async function passBlock(
  pipeline: Pipeline,
  request: GatewayRequest,
  provider: AnyProvider,
  block: Error,
): Promise<void> {
  try {
    const secrets = await getSecrets(pipeline, provider, undefined)
    const client = pipeline.getClient({ provider, endpoint: undefined, secrets }, request.address)
    if (client !== request.address) return
  } catch {
    // Unavailable secrets have not changed.
  }
  await keepBlocked(pipeline, { request, provider, endpoint: undefined })
  throw block
}
