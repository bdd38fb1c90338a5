import { expect, it } from 'vitest'
import { sharedToken } from './credentials.ts'

const signature = sharedToken({ header: 'x-token' })
const delivery = (token: string) => ({
  method: 'POST',
  headers: new Headers({ 'x-token': token }),
  body: new Uint8Array(0),
})

// Regression: the scheme was created and rejected every delivery.
it.each(['', 'x-token ', 'x-token:', 'x token'])('rejects the header name %j', (header) => {
  expect(() => sharedToken({ header })).toThrow(TypeError)
})

it('ignores a secret that is not a string', async () => {
  // Regression: the header `null` matched a secret of null.
  for (const none of [null, undefined, NaN, 7]) {
    const secrets = [none as never, 's']
    expect(await signature.verify(delivery(String(none)), secrets, 0)).toMatchObject({ verified: false })
    expect(await signature.verify(delivery('s'), secrets, 0)).toMatchObject({ verified: true })
    expect(() => signature.sign(delivery(''), none as never, 0)).toThrow(TypeError)
  }
})
