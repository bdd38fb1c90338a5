import type { AddressInfo, Server } from 'node:net'

/** The secret of the process. */
export const secret = process.env['WEBHOOK_SECRET_CODEHOST'] ?? ''
export const path = '/webhooks/codehost'

/** The response of every peer. */
export const accepted = JSON.stringify({ data: { status: 'accepted' } })

/** Prints the address of a server, which `startServer` waits for. */
export function announce(server: Server): void {
  const print = () => {
    const { port } = server.address() as AddressInfo
    process.stdout.write(`The server listens on http://localhost:${port}\n`)
  }
  if (server.listening) print()
  else server.once('listening', print)
}
