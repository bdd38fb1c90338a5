import type { AddressInfo, Server } from 'node:net'

/** What the process was started with. */
export const secret = process.env['WEBHOOK_SECRET_CODEHOST'] ?? ''
export const path = '/webhooks/codehost'

/** What every peer answers with: the outcome alone. */
export const accepted = JSON.stringify({ data: { status: 'accepted' } })

/** Says where it listens, as `startServer` waits for. */
export function announce(server: Server): void {
  const say = () => {
    const { port } = server.address() as AddressInfo
    process.stdout.write(`It listens on http://localhost:${port}\n`)
  }
  if (server.listening) say()
  else server.once('listening', say)
}
