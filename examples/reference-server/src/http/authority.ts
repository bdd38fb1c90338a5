import { isIPv6 } from 'node:net'

/** Formats a host and a port for a URL, with brackets around an IPv6 address. */
export function formatAuthority(host: string, port: number): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`
}
