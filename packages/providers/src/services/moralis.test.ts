import { testService } from '@sallyport/webhooks/testing'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { keccak256Hex } from '../keccak.ts'
import { moralis } from './moralis.ts'
import samples from './moralis.samples.json' with { type: 'json' }

testService(runner, {
  provider: moralis,
  samples,
  // The hash has tests with known texts of its own.
  sign: ({ text, secret }) => ({ 'x-signature': `0x${keccak256Hex([Buffer.from(text + secret)])}` }),
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
