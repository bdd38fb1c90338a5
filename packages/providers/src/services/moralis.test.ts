import { testService } from '@sallyport/webhooks/testing'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { startKeccak256 } from '../keccak.ts'
import { moralis } from './moralis.ts'
import samples from './moralis.samples.json' with { type: 'json' }

testService(runner, {
  provider: moralis,
  samples,
  // The hash has tests with known texts of its own.
  sign: ({ text, secret }) => ({
    'x-signature': `0x${startKeccak256(Buffer.from(text))(Buffer.from(secret))}`,
  }),
})

it('verifies the example of the SDK', async () => {
  const body = Buffer.from(JSON.stringify(samples.find(({ kind }) => kind === 'test')?.body))
  const signature = '0x3c4b2e6b07e386f97198eb2dc639f7901f00a5d3ec1b8c8effe4838920d71829'
  const verify = async (secrets: readonly string[]) => {
    const delivery = { method: 'POST', headers: new Headers({ 'x-signature': signature }), body }
    return (await moralis.signature.verify(delivery, secrets, 0)).verified
  }
  expect(await verify(['x3'.repeat(32), 'k9'.repeat(32)])).toBe(true)
  expect(await verify(['x3'.repeat(32)])).toBe(false)
})

// Regression: an unsigned body was hashed once for each secret.
it('reads a body once for all secrets, and not at all without a hash in the header', async () => {
  const reads: string[] = []
  const body = new Proxy(Uint8Array.of(1, 2), {
    get(bytes, name): unknown {
      if (name === '0' || name === '1') reads.push(name)
      return Reflect.get(bytes, name)
    },
  })
  const verify = async (signature: string) => {
    const delivery = { method: 'POST', headers: new Headers({ 'x-signature': signature }), body }
    return (await moralis.signature.verify(delivery, ['one', 'another'], 0)).verified
  }
  expect(await verify(`0x${'A'.repeat(64)}`)).toBe(false)
  expect(reads).toEqual([])
  expect(await verify(`0x${'a'.repeat(64)}`)).toBe(false)
  expect(reads).toEqual(['0', '1'])
})
