import { describe, expect, it, vi } from 'vitest'
import { prepareHmac } from '../src/crypto/crypto.ts'
import { schemeCases } from './scheme-cases.ts'
import { describeScheme } from './scheme-suite.ts'

vi.mock('../src/crypto/node.ts', () => import('../src/crypto/web.ts'))

const cases = await schemeCases()

describe('with WebCrypto', () => {
  it('computes asynchronously', () => {
    expect(prepareHmac('sha256', 'hex', 'key')(['content'])).toBeInstanceOf(Promise)
  })

  for (const one of cases) describeScheme(one)
})
