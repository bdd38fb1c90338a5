import { describe, expect, it } from 'vitest'
import { isRedisAddress } from './redis.ts'

describe('addresses of Redis', () => {
  it.each([
    ['redis://host', true],
    ['rediss://user:password@host:6380/3?name=staging', true],
    ['redis://host/zero', false],
    ['redis://host/0?name=a:b', false],
    ['redis://host/0?db=1', false],
    ['redis:///0', false],
  ])('%s', (address, accepted) => {
    expect(isRedisAddress(new URL(address))).toBe(accepted)
  })
})
