import type { IncomingMessage } from 'node:http'
import { plainAddress } from '@sallyport/webhooks'
import proxyAddr from 'proxy-addr'

/** Whether the address that is so many hops away is a proxy whose word counts. */
export type TrustProxy = (address: string, hop: number) => boolean

/** Reads a number of proxies, or a comma-separated list of addresses and ranges; undefined when it is neither. */
export function compileTrust(text: string): TrustProxy | undefined {
  if (/^[0-9]{1,2}$/.test(text)) return (_, hop) => hop < Number(text)
  try {
    return proxyAddr.compile(text.split(',').map((range) => range.trim()))
  } catch {
    return undefined
  }
}

/** Whether a proxy on this machine, such as a tunnel's agent, tells of clients that nobody listens to. */
export function hidesClients(request: IncomingMessage): boolean {
  if (request.headers['x-forwarded-for'] === undefined) return false
  const peer = plainAddress(request.socket.remoteAddress ?? '')
  return peer === '::1' || peer.startsWith('127.')
}

/** The client's address: the socket's, or the nearest one in X-Forwarded-For that no trusted proxy owns. */
export function clientAddress(request: IncomingMessage, trust: TrustProxy | undefined): string | undefined {
  const address = trust === undefined ? request.socket.remoteAddress : proxyAddr(request, trust)
  return address === undefined ? undefined : plainAddress(address)
}
