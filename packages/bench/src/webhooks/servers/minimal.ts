import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { accepted, announce, path, secret } from './settings.ts'

/**
 * Starts a server on node:http and node:crypto with the minimum: read the bytes, verify the signature, parse the JSON.
 *
 * @param keep keeps the body of a delivery and then calls the function that answers
 */
export function startMinimal(keep: (body: Buffer, answer: () => void) => void): void {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
      const given = Buffer.from(String(request.headers['x-hub-signature-256']))
      const verified = given.length === expected.length && timingSafeEqual(given, expected)
      if (request.url !== path || !verified) {
        response.writeHead(401).end()
        return
      }
      const { action } = JSON.parse(body.toString()) as { action?: string }
      if (action !== 'completed') {
        response.writeHead(400).end()
        return
      }
      keep(body, () => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': accepted.length })
        response.end(accepted)
      })
    })
  })
  announce(server.listen(0, '127.0.0.1'))
}
