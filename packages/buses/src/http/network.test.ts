import { describe, expect, it } from 'vitest'
import { checkHost, createAddressTest, createLookup } from './network.ts'

const isPublic = createAddressTest({}, 'https:')

describe('createAddressTest', () => {
  it.each(['1.1.1.1', '172.15.255.255', '172.32.0.1', '100.63.255.255', '2606:4700::1111', '2a00:1450::1'])(
    'allows the public address %s',
    (address) => {
      expect(isPublic(address)).toBe(true)
    },
  )

  it.each([
    ...[
      '0.0.0.0',
      '10.0.0.1',
      '100.64.0.1',
      '100.100.100.200',
      '127.0.0.1',
      '127.255.255.254',
      '168.63.129.16',
    ],
    ...[
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.192',
      '192.168.1.1',
      '198.18.0.1',
      '203.0.113.1',
    ],
    ...['224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '100::1'],
    ...[
      '::ffff:127.0.0.1',
      '::ffff:1.1.1.1',
      '::ffff:7f00:1',
      '::127.0.0.1',
      '64:ff9b::a00:1',
      '64:ff9b:1::1',
    ],
    ...['2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1'],
    ...['', 'localhost', '1.1.1', '0x7f.1'],
  ])('refuses %s', (address) => {
    expect(isPublic(address)).toBe(false)
  })

  it('allows private addresses of the listed networks only', () => {
    const isAllowed = createAddressTest(
      { allowPrivate: ['10.1.0.0/16', '64:ff9b::/96', 'fe80::/10'] },
      'https:',
    )
    expect(['10.1.2.3', '64:ff9b::101:101', 'fe80::1%eth0', '1.1.1.1'].map(isAllowed)).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(['10.2.0.1', '127.0.0.1', '::1'].map(isAllowed)).toEqual([false, false, false])
  })

  it('allows http to permitted private addresses only', () => {
    const isAllowed = createAddressTest({ allowPrivate: true }, 'http:')
    expect(['127.0.0.1', '::1', '10.0.0.1', '1.1.1.1', '2606:4700::1111'].map(isAllowed)).toEqual([
      ...[true, true, true],
      ...[false, false],
    ])
  })

  it.each(['10.0.0.0', '10.0.0.0/33', 'fd00::/129', 'a/8', '10.0.0.0/-1', ''])(
    'rejects the network "%s"',
    (network) => {
      expect(() => createAddressTest({ allowPrivate: [network] }, 'https:')).toThrow(/^A network reads like/)
    },
  )
})

describe('createLookup', () => {
  const answers: Record<string, readonly string[]> = {
    public: ['1.1.1.1', '2606:4700::1111'],
    mixed: ['1.1.1.1', '127.0.0.1'],
    empty: [],
  }
  const fake = (name: string, _: unknown, done: (error: Error | null, found?: unknown) => void) => {
    const found = answers[name]?.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (found) done(null, found)
    else done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
  }
  const lookup = createLookup(isPublic, fake as never)
  const run = (name: string, all = true) =>
    new Promise<unknown>((resolve) => {
      lookup(name, { all }, (error, address) => {
        resolve(error ? error.code : address)
      })
    })

  it('returns the addresses of a name that are all allowed', async () => {
    expect(await run('public')).toEqual([
      { address: '1.1.1.1', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
    expect(await run('public', false)).toBe('1.1.1.1')
  })

  it.each(['mixed', 'empty'])('refuses a name with %s addresses', async (name) => {
    expect(await run(name)).toBe('ADDRESS_REFUSED')
  })

  it('passes a failure of the resolution on', async () => {
    expect(await run('unknown')).toBe('ENOTFOUND')
  })
})

describe('checkHost', () => {
  it.each([
    ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254'],
    ...['localhost', 'localhost.', 'a.localhost'],
  ])('refuses the host %s without a connection', (host) => {
    const refused = new URL(`https://${host}/key`)
    expect(() => {
      checkHost(refused, isPublic)
    }).toThrow(/^The address of the destination is not allowed: see network.allowPrivate$/)
  })

  it.each(['1.1.1.1', 'example.com', '[2606:4700::1111]'])('accepts the host %s', (host) => {
    checkHost(new URL(`https://${host}/`), isPublic)
  })
})
