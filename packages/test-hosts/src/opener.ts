import {
  createGateway,
  memoryInbox,
  staticSecrets,
  type Gateway,
  type GatewayOptions,
} from '@sallyport/webhooks'
import { afterEach, expect } from 'vitest'
import { challenged, doorbell, secret } from './doorbell.ts'
import type { Host, Received, Send } from './host.ts'

/** Puts a host in front of a gateway. */
export type OpenHost = (gateway: Gateway) => Promise<Host>

/**
 * Opens hosts in front of the doorbell's gateway, and closes them behind each test.
 *
 * @param onChunk told of the length of every chunk that has reached the gateway
 */
export type Opener = (options?: Partial<GatewayOptions>, onChunk?: (length: number) => void) => Promise<Send>

/** An opener for the tests of the suite that it is called in. */
export function opener(open: OpenHost): Opener {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })
  return async (options = {}, onChunk) => {
    const gateway = createGateway({
      providers: [doorbell, challenged],
      secrets: staticSecrets({ doorbell: [secret], challenged: [secret] }),
      inbox: memoryInbox(),
      ...options,
    } as GatewayOptions)
    const { send, close } = await open(onChunk ? watched(gateway, onChunk) : gateway)
    closing.push(close)
    return send
  }
}

function watched(gateway: Gateway, onChunk: (length: number) => void): Gateway {
  return {
    ...gateway,
    handle: (request) =>
      gateway.handle({
        ...request,
        readBody: (sink) =>
          request.readBody({
            timeoutMs: sink.timeoutMs,
            push(chunk) {
              sink.push(chunk)
              onChunk(chunk.byteLength)
            },
          }),
      }),
  }
}

/** The status and the code of a refusal, which comes in the envelope and says something. */
export function refusalOf({ status, headers, text }: Received): [status: number, code: string] {
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  const envelope = JSON.parse(text) as { readonly error: { readonly code: string; readonly message: string } }
  expect(Object.keys(envelope)).toEqual(['error'])
  expect(envelope.error.message).not.toBe('')
  return [status, envelope.error.code]
}
