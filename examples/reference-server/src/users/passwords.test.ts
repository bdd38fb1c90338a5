import { expect, it } from 'vitest'
import { createPasswords } from './passwords.ts'

it('accepts 128 characters whose normalization is longer', async () => {
  let longest = ''
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    if (Buffer.byteLength(character.normalize('NFC')) > Buffer.byteLength(longest.normalize('NFC')))
      longest = character
  }
  const password = longest.repeat(128)
  expect(Buffer.byteLength(password.normalize('NFC'))).toBeGreaterThan(512)

  const passwords = createPasswords()
  const stored = await passwords.hash(password)
  expect(await passwords.verify(stored, password)).toEqual({ valid: true, needsRehash: false })
  expect(await passwords.verify(stored, `${longest.repeat(127)}x`)).toMatchObject({ valid: false })
})
