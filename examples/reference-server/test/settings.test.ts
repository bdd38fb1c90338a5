import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../src/config/config.ts'
import { readSettings } from '../src/config/settings.ts'
import { startProblems } from './in-process.ts'
import { temporaryDirectory } from './server-process.ts'

const getProblems = (environment: Record<string, string>) => {
  const result = readConfig({ NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32), ...environment }, [])
  return 'problems' in result ? result.problems : []
}

describe('ROLE', () => {
  const DATABASE_URL = 'postgres://sallyport@db/sallyport'

  // A gateway once acknowledged deliveries into a file that no dispatcher read.
  it.each(['gateway', 'dispatcher', 'api,gateway,dispatcher'])(
    'rejects %s without DATABASE_URL in production',
    (ROLE) => {
      expect(getProblems({ ROLE })).toEqual([
        'ROLE has to be all without DATABASE_URL: other processes may not see the SQLite file. Set DATABASE_URL, or unset ROLE',
      ])
      expect(getProblems({ ROLE, DATABASE_URL })).toEqual([])
    },
  )

  it.each(['all', 'drainer,dispatcher,gateway,api'])('accepts %s without DATABASE_URL', (ROLE) => {
    expect(getProblems({ ROLE })).toEqual([])
  })
})

describe('TRUST_PROXY', () => {
  // These once were addresses such as 0.0.0.100, so that all clients shared the proxy's.
  it.each([
    '100',
    '10/8',
    '1,10.0.0.0/8',
    '10.1',
    '0x7f',
    '1 2',
    '10.0.0.0/33',
    '10.0.0.0/255.0.255.0',
    '::/255.0.0.0',
    '10.0.0.0/',
    ',',
    ' ',
    'local',
    '-1',
  ])('rejects the proxies %j', (TRUST_PROXY) => {
    expect(getProblems({ TRUST_PROXY })).toEqual([
      'TRUST_PROXY has to be a number of proxies up to 99, or a list of addresses and ranges',
    ])
  })

  it.each([' 1', '1 ', '1', '01'])('accepts one proxy written as %j', (TRUST_PROXY) => {
    const trust = readSettings({ TRUST_PROXY }).settings.TRUST_PROXY!
    expect([trust('192.0.2.1', 0), trust('192.0.2.1', 1)]).toEqual([true, false])
  })

  it('accepts addresses and ranges of both families', () => {
    const trust = readSettings({ TRUST_PROXY: ' 192.0.2.1, 10.0.0.0/8 ,2001:db8::/32,::1' }).settings
      .TRUST_PROXY!
    const addresses = ['192.0.2.1', '10.1.2.3', '2001:db8::7', '::1', '192.0.2.2', '2001:db9::']
    expect(addresses.filter((address) => trust(address, 0))).toEqual(addresses.slice(0, 4))
  })

  it.each([
    ['loopback', '127.0.0.9'],
    ['linklocal', 'fe80::7'],
    ['uniquelocal, 192.0.2.0/24', '172.16.0.1'],
    ['10.0.0.0/255.0.0.0', '10.1.2.3'],
  ])('is ranges by name and by mask, too: %s', (TRUST_PROXY, inside) => {
    const trust = readSettings({ TRUST_PROXY }).settings.TRUST_PROXY!
    expect([trust(inside, 0), trust('198.51.100.1', 0)]).toEqual([true, false])
  })
})

describe('CORS_ORIGINS', () => {
  it('accepts every origin, or a list of origins', () => {
    expect(readSettings({ CORS_ORIGINS: ' * ' }).settings.CORS_ORIGINS).toBe('*')
    const origins = ['https://app.example.com', 'http://localhost:5173']
    expect(readSettings({ CORS_ORIGINS: origins.join(', ') }).settings.CORS_ORIGINS).toEqual(origins)
    expect(readSettings({}).settings.CORS_ORIGINS).toBeUndefined()
  })

  it.each([
    'app.example.com',
    'https://app.example.com/',
    'https://App.example.com',
    'https://app.example.com:443',
    'ftp://app.example.com',
    'null',
    '*',
  ])('rejects %s in a list', (origin) => {
    expect(getProblems({ CORS_ORIGINS: `https://a.example,${origin}` })).toEqual([
      `CORS_ORIGINS has to be *, or origins such as https://app.example.com, but "${origin}" is not`,
    ])
  })
})

describe('addresses of databases and engines', () => {
  it('are normalized', () => {
    const { settings, problems } = readSettings({
      DATABASE_URL: ' POSTGRES://u:a%25b@host/database\n',
      BUS_URL: '\tNATS://u:p@host:4222/STREAM ',
      QUEUE_URL: ' redis://:p@host:6379/0?name=one ',
      OTEL_EXPORTER_OTLP_ENDPOINT: ' http://collector:4318/ ',
      PUBLIC_URL: ' https://hooks.example.com ',
      OPERATOR_URL: ' https://operators.example.com/x ',
    })
    expect(problems).toEqual([])
    expect(settings).toMatchObject({
      DATABASE_URL: 'postgres://u:a%25b@host/database',
      BUS_URL: 'nats://u:p@host:4222/STREAM',
      QUEUE_URL: 'redis://:p@host:6379/0?name=one',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      PUBLIC_URL: 'https://hooks.example.com',
      OPERATOR_URL: 'https://operators.example.com/x',
    })
  })

  it.each([
    ['kafka://host:9092,host2:9093/webhooks', 'kafka://host:9092,host2:9093/webhooks'],
    [' KAFKAS://u:p%40@host,host2?sasl=SCRAM-SHA-512 ', 'kafkas://u:p%40@host,host2?sasl=SCRAM-SHA-512'],
    ['nats://token@host:4222,[::1]:4223/STREAM', 'nats://token@host:4222,[::1]:4223/STREAM'],
    [
      'sqs+https://sqs.eu-central-1.amazonaws.com/123456789012/a.fifo',
      'sqs+https://sqs.eu-central-1.amazonaws.com/123456789012/a.fifo',
    ],
    ['SNS:arn:aws:sns:eu-central-1:123456789012:Topic', 'sns:arn:aws:sns:eu-central-1:123456789012:Topic'],
    ['eventbridge:default', 'eventbridge:default'],
  ])('may have several hosts or none: %s', (text, BUS_URL) => {
    expect(readSettings({ BUS_URL: text })).toMatchObject({ problems: [], settings: { BUS_URL } })
  })

  it.each([
    'redis://host:6379,host2:6379',
    'kafka://host:9092,',
    'kafka://host:9092,host2:99999',
    'kafka://host/topic?sasl=SCRAM-SHA-512',
    'kafka://u:hunter2@host/topic?sasl=GSSAPI',
    'kafka://u@host',
    'kafka://host/a.b',
    'kafka:host',
    'sqs+https://sqs.eu-central-1.amazonaws.com/queue',
    'sqs+https://u:hunter2@sqs.eu-central-1.amazonaws.com/1/queue',
    'sns:topic',
    'sns://arn:aws:sns:eu-central-1:123456789012:topic',
    'eventbridge:a b',
    'inngest+http://127.0.0.1:1/hunter2',
    'inngest+http://127.0.0.1:1/e/hunter2?x',
    'inngest+ftp://127.0.0.1:1/e/hunter2',
    'inngest+http://127.0.0.1:1/e/hunter2%',
    'cloudevents+http://hunter2#x',
    'cloudevents:hunter2',
  ])('are rejected without a quote: %s', (BUS_URL) => {
    const [problem, ...others] = getProblems({ BUS_URL })
    expect(problem).toContain('BUS_URL has to be an address such as nats://host:4222/STREAM')
    expect(problem).not.toContain('hunter2')
    expect(others).toEqual([])
  })

  it.each(['https://h.example', 'https://h.example/', 'https://h.example//', 'http://[::1]:3111'])(
    'that clients use are an origin: %s',
    (PUBLIC_URL) => {
      const { settings, problems } = readSettings({ PUBLIC_URL })
      expect([settings.PUBLIC_URL, problems]).toEqual([PUBLIC_URL.replace(/\/+$/, ''), []])
    },
  )

  it('are rejected without a quote if they name no engine', () => {
    const problems = getProblems({
      BUS_URL: 'pulsar://user:a-secret@localhost',
      QUEUE_URL: 'nats://localhost/two/streams',
    })
    expect(problems).toEqual([
      expect.stringMatching(/^BUS_URL has to be an address such as .*nats:\/\/host:4222\/STREAM/),
      expect.stringMatching(/^QUEUE_URL has to be an address such as .*nats:\/\/host:4222\/STREAM/),
    ])
    expect(problems.join()).not.toContain('a-secret')
  })

  it('name a bucket without credentials', () => {
    const url = 's3://acme/bodies?region=eu-central-1'
    expect(readSettings({ BODY_STORE_URL: url }).settings.BODY_STORE_URL).toBe(url)
    expect(getProblems({ BODY_STORE_URL: 's3://key:hunter2@acme' })).toEqual([
      'BODY_STORE_URL has to be s3://bucket/prefix, without a password',
    ])
  })

  it.each([
    ['BUS_URL', 'nats://u:100%@host:4222'],
    ['BUS_URL', 'amqp://u:hunter2%zz@host'],
    ['BUS_URL', 'cloudevents+https://u:hunter2%zz@host/path'],
    ['QUEUE_URL', 'redis://:hunter2%E0%A4@host:6379'],
    ['DATABASE_URL', 'postgres://u%:hunter2@host/database'],
    ['DATABASE_URL', 'postgres://u:hunter2@host/data%E0base'],
  ])('are rejected without a quote when they are ambiguous: %s=%s', (name, value) => {
    expect(getProblems({ [name]: value })).toEqual([
      `${name} has a % without two hexadecimal digits: write % as %25`,
    ])
  })

  it.each(['postgres://u:p@host', 'postgres://u:p@host/', 'postgresql://u:p@host?sslmode=require'])(
    'name a database: the one that is named like the user is not taken for %s',
    (DATABASE_URL) => {
      expect(getProblems({ DATABASE_URL })).toEqual([
        'DATABASE_URL has to name the database: postgres://user:password@host:5432/database, or PGDATABASE',
      ])
      // The driver takes that one.
      expect(getProblems({ DATABASE_URL, PGDATABASE: 'app' })).toEqual([])
    },
  )

  it('need a database name other than slashes', () => {
    expect(getProblems({ DATABASE_URL: 'postgres://u@host//', PGDATABASE: 'app' })).toHaveLength(1)
  })
})

describe('limits of bodies', () => {
  // The server once started, and every body was too large.
  it.each(['0', '0b', '0kb', '00'])('reject %s', (JSON_BODY_LIMIT) => {
    expect(getProblems({ JSON_BODY_LIMIT })).toEqual(['JSON_BODY_LIMIT has to be 1b at least'])
  })

  it('may be one byte', () => {
    expect(readSettings({ JSON_BODY_LIMIT: '1' })).toMatchObject({
      settings: { JSON_BODY_LIMIT: 1 },
      problems: [],
    })
  })
})

describe('lists', () => {
  it.each([
    'PROVIDERS',
    'PROVIDER_MODULES',
    'PROVIDER_ONLY',
    'ALLOW_UNSIGNED',
    'MANUAL_TESTS_OFF',
    'QUEUE_PILOTS',
  ])('without a name are rejected: %s=,', (name) => {
    // The server once started without any provider.
    expect(getProblems({ [name]: ' , ' })).toEqual([
      `${name} has to contain at least one name, or to be unset`,
    ])
    expect(getProblems({ [name]: '' })).toEqual([])
  })
})

describe('listen addresses', () => {
  it.each(['[::1]', 'localhost:3111', '999.0.0.1', '*', 'http://localhost'])('reject %s', (value) => {
    for (const name of ['HOST', 'METRICS_HOST']) {
      expect(getProblems({ [name]: value })).toEqual([
        `${name} has to be an address such as 0.0.0.0 or ::1, or a name, without brackets or a port`,
      ])
    }
  })

  it.each([
    ['::', '127.0.0.1', true],
    ['0.0.0.0', '127.0.0.1', true],
    ['127.0.0.1', '::ffff:127.0.0.1', true],
    ['::1', '::', true],
    ['LOCALHOST', 'localhost', true],
    // The server once found out only as it listened.
    ['localhost', '127.0.0.1', true],
    ['::1', 'localhost', true],
    ['0.0.0.0', 'localhost', true],
    ['localhost', '127.0.0.2', false],
    ['0.0.0.0', '::1', false],
    ['127.0.0.1', '127.0.0.2', false],
  ])('are not the same twice: %s and %s', (HOST, METRICS_HOST, areRefused) => {
    const told =
      'METRICS_PORT has to differ from PORT, or METRICS_HOST has to be an address that HOST does not include'
    expect(getProblems({ HOST, METRICS_HOST, PORT: '9464', METRICS_PORT: '9464' })).toEqual(
      areRefused ? [told] : [],
    )
    expect(getProblems({ HOST, METRICS_HOST, PORT: '0', METRICS_PORT: '0' })).toEqual([])
    expect(getProblems({ HOST, METRICS_HOST })).toEqual([])
  })

  it('are all reported before any file changes', async () => {
    // Each once ended the server with 1, one after the other, when the database had been made.
    await using directory = await temporaryDirectory()
    const problems = await startProblems({
      DATA_DIR: `${directory.path}/data`,
      HOST: '[::1]',
      BUS_URL: 'nats://u:100%@host:4222',
      PROVIDERS: ',',
    })
    expect(problems.map((line) => line.split(' ')[0])).toEqual(['HOST', 'BUS_URL', 'PROVIDERS'])
    expect(await readdir(directory.path)).toEqual([])
  })
})

describe('ALERT_URLS', () => {
  it('are addresses of Slack, Discord and Teams', () => {
    const { settings, problems } = readSettings({
      ALERT_URLS: 'slack+https://hooks.slack.com/services/T0/B0/x, teams+https://example.com/a+b?sig=1,2,',
    })
    expect(problems).toEqual([])
    expect(settings.ALERT_URLS).toEqual([
      { service: 'slack', url: 'https://hooks.slack.com/services/T0/B0/x' },
      { service: 'teams', url: 'https://example.com/a+b?sig=1,2' },
    ])
  })

  it.each([
    'https://hooks.slack.com/secret',
    'slack+http://secret',
    'irc+https://secret',
    'slack+secret',
    'slack+https://a, https://secret',
  ])('rejects %s without the address in the problem', (address) => {
    const problems = getProblems({ ALERT_URLS: address })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^ALERT_URLS has to be addresses/)
    expect(problems[0]).not.toContain('secret')
  })
})

describe('ALERT_SILENT_FOR', () => {
  it('is a list of durations by name', () => {
    const { ALERT_SILENT_FOR } = readSettings({
      ALERT_SILENT_FOR: 'github=90m, endpoint/a-1=2h,stripe=14d',
    }).settings
    expect(ALERT_SILENT_FOR).toEqual({
      ...{ github: 5_400_000, 'endpoint/a-1': 7_200_000, stripe: 1_209_600_000 },
    })
  })

  it.each(['github', 'github=2', 'github=0h', 'github=15d', 'github=2h,=1d', 'github=1.5h', ','])(
    'rejects %j',
    (ALERT_SILENT_FOR) => {
      expect(getProblems({ ALERT_SILENT_FOR })).toEqual([
        expect.stringMatching(/^ALERT_SILENT_FOR has to (be a list such as github=2h|contain at least)/),
      ])
    },
  )

  it('rejects an unknown provider', () => {
    expect(getProblems({ ALERT_SILENT_FOR: 'gihub=1d,endpoint/gihub=1d' })).toEqual([
      'ALERT_SILENT_FOR names "gihub", which is not a provider',
    ])
  })
})
