import { codehost } from '@sallyport/providers/codehost'
import { sample } from '@sallyport/providers/codehost/samples'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf, type Host, type Received, type Sent } from './host.ts'
import { refusalOf } from './opener.ts'

/** What an example has to be given as the secret of its code host. */
export const codehostSecret = 'the secret of a code host'

/** An example as it stands, with its own gateway. */
export interface Example extends Host {
  /** What it has written so far. */
  readonly output: () => string
}

export interface ExampleTestOptions {
  /** Whether an event that comes again is known, rather than left to those who consume it. @default true */
  readonly deduplicates?: boolean
  /** What the example's own route says at `/`, when it has one. */
  readonly home?: string
}

/** Defines what an example has to answer as it stands, with a provider and secrets of its own. */
export function testExample(
  name: string,
  open: () => Promise<Example>,
  { deduplicates = true, home }: ExampleTestOptions = {},
): void {
  const path = '/webhooks/codehost'

  describe(`the example of ${name}`, () => {
    let host: Example
    beforeAll(async () => {
      host = await open()
    })
    afterAll(() => host.close())
    const send = (sent: Sent): Promise<Received> => host.send({ path, ...sent })

    it('accepts a signed delivery, and hands its event to its own code', async () => {
      const { body, headers } = await delivery()
      const answer = await send({ body, headers })
      expect(answer.status).toBe(200)
      expect(JSON.parse(answer.text)).toMatchObject({
        data: { status: 'accepted', events: [{ name: 'codehost/workflow_run.completed', duplicate: false }] },
      })
      await expect.poll(host.output).toContain('codehost/workflow_run.completed')
    })

    it('tells the same event again as what it is', async () => {
      const { body, headers } = await delivery()
      const [first, second] = [await send({ body, headers }), await send({ body, headers })]
      const status = deduplicates ? 'duplicate' : 'accepted'
      expect(JSON.parse(second.text)).toMatchObject({
        data: { status, events: [{ id: idOf(first), name: 'codehost/workflow_run.completed' }] },
      })
    })

    it('refuses a forged delivery', async () => {
      const { body, headers } = await delivery('a guess')
      expect(refusalOf(await send({ body, headers }))).toEqual([401, 'INVALID_SIGNATURE'])
    })

    it('refuses a body that is larger than the code host sends', async () => {
      const announcedLength = (codehost.bodyLimit ?? 0) + 1
      const answer = await send({ body: new Uint8Array(1), announcedLength })
      expect(refusalOf(answer)).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    })

    if (home !== undefined) {
      it('answers what is no webhook itself', async () => {
        const { status, text } = await send({ method: 'GET', path: '/' })
        expect([status, text.trim()]).toEqual([200, home])
      })
    }

    it('takes no delivery by GET', async () => {
      expect(refusalOf(await send({ method: 'GET' }))).toEqual([405, 'METHOD_NOT_ALLOWED'])
    })
  })
}

/** A fresh delivery of the code host, signed. */
async function delivery(
  secret = codehostSecret,
): Promise<Required<Pick<Sent, 'headers'>> & { body: Uint8Array<ArrayBuffer> }> {
  const { headers, body: value } = sample('workflow_run.completed', { fresh: true })
  const body = bytesOf(value)
  const request = { method: 'POST', headers: new Headers(headers), body }
  const proof = await codehost.signature.sign(request, secret, Date.now())
  return { body, headers: Object.entries({ ...headers, ...proof }) }
}

function idOf({ text }: Received): string | undefined {
  const { data } = JSON.parse(text) as {
    readonly data: { readonly events: readonly { readonly id: string }[] }
  }
  return data.events[0]?.id
}
