import { describe, expect, it } from 'vitest'
import { readSecretLines, readSecretVariable, separateSecrets } from './secret-list.ts'

const block = ['-----BEGIN PUBLIC KEY-----', 'AA,A', '-----END PUBLIC KEY-----'].join('\n')

describe('readSecretLines', () => {
  it.each([
    ['one secret per line', ' one, two \r\n\n three\n', ['one, two', 'three']],
    ['a block of PEM as one secret', `first\n${block}\n${block}\n`, ['first', block, block]],
    ['a JSON array of strings', ' ["one, two",\n " three ", "", "a\\nb"]\n', ['one, two', ' three ', 'a\nb']],
    ['other JSON as text', '[1, "two"]', ['[1, "two"]']],
    ['malformed JSON as text', '[one\n["two"', ['[one', '["two"']],
    ['no secret in white space', ' \n', []],
    ['no secret of white space in JSON', '[" ", "one"]', ['one']],
  ])('reads %s', (_, text, values) => {
    expect(readSecretLines(text)).toEqual(values)
  })
})

describe('readSecretVariable', () => {
  it.each([
    ['commas between secrets', ' , one , two', ['one', 'two'], ', one , two'],
    ['a comma between blocks of PEM', `${block},${block}`, [block, block], `${block},${block}`],
    ['a comma before a block of PEM', `one,${block}`, ['one', block], `one,${block}`],
    ['a block of PEM as one secret', `${block}\n`, [block], undefined],
    ['a comma at the end', 'one,', ['one'], undefined],
    ['commas as text in several lines', 'one,two\nthree', ['one,two', 'three'], undefined],
    ['commas as text in JSON', '["one,two"]', ['one,two'], undefined],
    ['no secret in an empty variable', '', [], undefined],
  ])('reads %s', (_, text, values, whole) => {
    expect(readSecretVariable(text)).toEqual({ values, whole })
  })
})

/** The signature scheme of secrets that match a pattern. */
const matching = (pattern: RegExp) => ({
  checkSecret(secret: string) {
    if (!pattern.test(secret)) throw new Error('unusable')
  },
})
const prefixed = matching(/^v1,whsec_\w+$/)
const credentials = matching(/:/)
const separate = (text: string, scheme: Parameters<typeof separateSecrets>[1]) =>
  separateSecrets(readSecretVariable(text), scheme)

describe('separateSecrets', () => {
  it.each([
    ['keeps a comma of the form', 'v1,whsec_a', prefixed, ['v1,whsec_a']],
    ['separates secrets with a comma', 'v1,whsec_a, v1,whsec_b', prefixed, ['v1,whsec_a', 'v1,whsec_b']],
    ['keeps a part that is no secret', 'user:one,,  two', credentials, ['user:one,,  two']],
    ['separates no array', '["v1,whsec_a"]', prefixed, ['v1,whsec_a']],
    ['separates no lines', 'user:a,user:b\nuser:c', credentials, ['user:a,user:b', 'user:c']],
    ['separates a verify token', 'one,verify:two', {}, ['one', 'verify:two']],
    ['ignores a comma at the end', 'user:one,', credentials, ['user:one']],
  ])('%s', async (_, text, scheme, values) => {
    expect(await separate(text, scheme)).toEqual({ values, isAmbiguous: false })
  })

  it('awaits the check of a scheme', async () => {
    const scheme = {
      async checkSecret(secret: string) {
        await Promise.resolve()
        prefixed.checkSecret(secret)
      },
    }
    expect((await separate('v1,whsec_a', scheme)).values).toEqual(['v1,whsec_a'])
  })

  it.each([
    ['any text is a secret', 'correct,horse', {}, ['correct', 'horse']],
    ['the whole text is a secret as well', 'user:a,b,user:c,d', credentials, ['user:a', 'b,user:c,d']],
  ])(
    'separates at each possible comma, and reports the ambiguity, where %s',
    async (_, text, scheme, values) => {
      expect(await separate(text, scheme)).toEqual({ values, isAmbiguous: true })
    },
  )
})
