import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { toPublicAddress } from '../endpoints/address.ts'
import { PageHeader } from '../layout/layout.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card, Fact } from '../ui/card.tsx'
import { CopyValue } from '../ui/copy.tsx'
import { ErrorNotice, Loading } from '../ui/notice.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Prose } from './prose.tsx'
import { SetupSteps } from './setup-steps.tsx'

const trustTexts = {
  signed: 'The signature covers the whole body.',
  partial: 'The signature covers only a part of the delivery.',
  origin: 'The delivery proves only who sent it.',
  none: 'The delivery proves nothing.',
} as const

const secretTexts = {
  generated: 'An endpoint can generate it',
  given: 'The service creates it',
  handshake: 'The service sends it in its handshake',
} as const

/** The facts of one service. */
export function ProviderPage({ name }: { readonly name: string }) {
  const query = useQuery({
    queryKey: ['provider', name],
    queryFn: ({ signal }) => unwrap(api.GET('/providers/{name}', { params: { path: { name } }, signal })),
  })
  if (query.isPending) return <Loading />
  if (query.isError) return <ErrorNotice error={query.error} onRetry={query.refetch} />
  const facts = query.data.data
  return (
    <>
      <p className="crumbs">
        <Link href="/help">← Service setup</Link>
      </p>
      <PageHeader
        tabTitle={facts.title}
        title={
          <>
            {facts.title} {facts.registered && <Badge state="registered" tone="good" />}
          </>
        }
        lead={trustTexts[facts.trust]}
      />
      <div className="columns">
        <div className="column-main">
          {facts.url !== null && <Addresses provider={name} url={facts.url} />}
          <Card title="Setup">
            <SetupSteps provider={name} />
          </Card>
          {facts.traps.length > 0 && (
            <Card title="Mind">
              <ul className="bullets">
                {facts.traps.map((trap) => (
                  <li key={trap}>
                    <Prose text={trap} />
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </div>
        <div className="column-side">
          <Card title="Facts">
            <dl className="facts">
              <Fact name="Provider">
                <code>{facts.name}</code>
              </Fact>
              <Fact name="Headers of the signature">{facts.signature.headers.join(', ') || 'none'}</Fact>
              <Fact name="Signed parts">{facts.signature.covers ?? 'the whole body'}</Fact>
              <Fact name="Secret">{secretTexts[facts.secret]}</Fact>
              <Fact name="Identity of an event">{describeIdentity(facts.identity)}</Fact>
              {facts.kind.length > 0 && <Fact name="Kind">{facts.kind.join(', ')}</Fact>}
              {facts.handshake.length > 0 && <Fact name="Handshake">{facts.handshake.join(', ')}</Fact>}
              {facts.retries !== null && (
                <Fact name="Retries">
                  <Prose text={facts.retries} />
                </Fact>
              )}
              <Fact name="Compared with the sources">{facts.checked ?? 'not yet'}</Fact>
            </dl>
          </Card>
          <Sources pages={facts.sources.filter((page) => page.startsWith('https://'))} />
          {facts.kinds.length + facts.samples.length > 0 && (
            <Card title="Kinds">
              <ul className="kinds">
                {[...new Set([...facts.kinds, ...facts.samples])].map((kind) => (
                  <li key={kind}>
                    <code>{kind}</code>
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </div>
      </div>
    </>
  )
}

/** The address of this server for the service, and those of the newest endpoints. */
function Addresses({ provider, url }: { readonly provider: string; readonly url: string }) {
  const { has } = useFeatures()
  const query = useQuery({
    queryKey: ['endpoints', { provider }, 'newest'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/endpoints', { params: { query: { provider, limit: 5 } }, signal })),
    enabled: has('listEndpoints'),
  })
  const endpoints = query.data?.data ?? []
  return (
    <Card title="Address for the service">
      <CopyValue value={toPublicAddress(url)} />
      {endpoints.length > 0 && (
        <ul className="addresses" aria-label="Addresses of the newest endpoints">
          {endpoints.map((endpoint) => (
            <li key={endpoint.id}>
              <Link href={`/endpoints/${endpoint.id}`}>
                <Untrusted text={endpoint.name} limit={100} />
              </Link>
              <CopyValue value={toPublicAddress(endpoint.url)} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** The pages that the facts follow. */
function Sources({ pages }: { readonly pages: readonly string[] }) {
  if (pages.length === 0) return null
  return (
    <Card title="Sources">
      <ul className="bullets">
        {pages.map((page) => (
          <li key={page}>
            <a href={page} target="_blank" rel="noreferrer noopener">
              {page.slice('https://'.length)}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function describeIdentity(identity: Schemas['Provider']['identity']): string {
  switch (identity?.by) {
    case 'parts':
      return identity.parts.join(', ')
    case 'delivery':
      return 'none: each delivery is a new event'
    case 'body':
      return identity.without.length === 0
        ? 'the hash of the body'
        : `the hash of the body without ${identity.without.join(', ')}`
    case undefined:
      return 'parts of the event, by kind'
  }
}
