import type { IncomingMessage } from 'node:http'
import { createFetchHandler } from '../fetch/handler.ts'
import type { Gateway } from '../gateway/gateway-contract.ts'
import { normalizeBasePath, normalizePublicUrl } from '../gateway/path.ts'
import { createNodeListener } from '../node/listener.ts'
import type { Webhooks } from './webhooks.ts'

/** Where the hosts of the gateway find it. */
export interface Place {
  readonly basePath: string
  readonly publicUrl: string | undefined
}

/** @throws TypeError for an invalid path or URL */
export function readPlace(options: { readonly basePath?: string; readonly publicUrl?: string }): Place {
  return {
    basePath: normalizeBasePath(options.basePath),
    publicUrl: normalizePublicUrl(options.publicUrl),
  }
}

/** Creates the handlers of servers. */
export function createHosts(
  gateway: Gateway,
  { basePath, publicUrl }: Place,
): Pick<Webhooks, 'node' | 'express' | 'fetch'> {
  const host = { basePath, ...(publicUrl !== undefined && { publicUrl }) }
  return {
    node: createNodeListener(gateway, host),
    express: createNodeListener(gateway, {
      ...host,
      clientAddress: ({ ip }: IncomingMessage & { readonly ip?: string }) => ip,
    }),
    fetch: createFetchHandler<[]>(gateway, host),
  }
}
