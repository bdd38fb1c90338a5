import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { BodyView } from '../body/body-view.tsx'
import { decodeBody } from '../body/decode.ts'
import { HeaderTable } from '../deliveries/header-table.tsx'
import { PageHeader } from '../layout/layout.tsx'
import { useOperator } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, Fact } from '../ui/card.tsx'
import { formatBytes } from '../ui/format.ts'
import { ErrorNotice, Loading, Notice } from '../ui/notice.tsx'
import { EndpointName } from '../ui/endpoint-name.tsx'
import { Id, Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'

type Detail = Schemas['UnprocessedDeliveryDetail']

/** One ignored or refused delivery. */
export function UnprocessedItemPage({ id }: { readonly id: string }) {
  const query = useQuery({
    queryKey: ['unprocessed-delivery', id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/unprocessed-deliveries/{id}', { params: { path: { id } }, signal })),
  })
  if (query.isPending) return <Loading />
  if (query.data === undefined) return <ErrorNotice error={query.error} onRetry={query.refetch} />
  return <Shown delivery={query.data.data} />
}

function Shown({ delivery }: { readonly delivery: Detail }) {
  const { id, provider, kind, outcome, reason } = delivery
  const body = useMemo(() => decodeBody(delivery.body), [delivery.body])
  return (
    <>
      <p className="crumbs">
        <Link href="/unprocessed">← Ignored and refused</Link>
      </p>
      <PageHeader
        tabTitle={`${provider} ${id.slice(0, 8)}`}
        title={
          <>
            <Untrusted text={kind === null ? provider : `${provider}/${kind}`} limit={120} />{' '}
            <Badge state={outcome} />
          </>
        }
        lead={
          outcome === 'refused'
            ? 'The signature is not valid, so anybody may have sent this delivery.'
            : 'The signature is valid, but no provider handles this kind.'
        }
      >
        <Replay delivery={delivery} />
      </PageHeader>
      <Diagnosis delivery={delivery} />
      <div className="columns">
        <div className="column-main">
          <Card title="Body">
            {delivery.body_state === 'cut' && <Notice tone="warn">Only the first bytes were kept.</Notice>}
            <BodyView body={body} />
          </Card>
        </div>
        <div className="column-side">
          <Card title="Facts">
            <dl className="facts">
              <Fact name="Id">
                <Id value={id} />
              </Fact>
              <Fact name="Endpoint">
                <EndpointName of={delivery} />
              </Fact>
              <Fact name="Reason">
                {reason === null ? 'the kind is not handled' : <Untrusted text={reason} />}
              </Fact>
              <Fact name="Answer">HTTP {delivery.status}</Fact>
              <Fact name="Received">
                <Time value={delivery.created_at} />
              </Fact>
              <Fact name="Size">{formatBytes(delivery.body_bytes)}</Fact>
            </dl>
          </Card>
          <Card title={`Headers (${Object.keys(delivery.headers).length})`}>
            <HeaderTable headers={delivery.headers} />
          </Card>
        </div>
      </div>
    </>
  )
}

/** The mistakes that explain a refusal. */
function Diagnosis({ delivery }: { readonly delivery: Detail }) {
  const { id, outcome } = delivery
  const { has } = useFeatures()
  const explain = useMutation({
    mutationFn: () => unwrap(api.GET('/unprocessed-deliveries/{id}/diagnosis', { params: { path: { id } } })),
  })
  if (outcome !== 'refused' || !has('getUnprocessedDiagnosis') || delivery.body_state === 'cut') return null
  const result = explain.data?.data
  return (
    <Card
      title="Why is the signature not valid?"
      actions={
        <Button
          isDisabled={explain.isPending}
          onPress={() => {
            explain.mutate()
          }}
        >
          Explain
        </Button>
      }
    >
      {result?.verified === true && (
        <Notice tone="info">
          The signature is valid with the current secrets: verify the delivery again.
        </Notice>
      )}
      {result?.mistakes.map(({ code, message }) => (
        <Notice key={code} tone="warn">
          <Untrusted text={message} limit={500} />
        </Notice>
      ))}
      {explain.isError && <ErrorNotice error={explain.error} />}
      {result === undefined && !explain.isError && (
        <p className="muted">Tries the usual mistakes of secrets, bodies, times and addresses.</p>
      )}
    </Card>
  )
}

function Replay({ delivery }: { readonly delivery: Detail }) {
  const { id, outcome } = delivery
  const { has } = useFeatures()
  const operator = useOperator()
  const queries = useQueryClient()
  const replay = useMutation({
    mutationFn: () => unwrap(api.POST('/unprocessed-deliveries/{id}/replays', { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['unprocessed'] }),
  })
  if (!has('replayUnprocessedDelivery') || !operator?.may('replay') || delivery.body_state === 'cut')
    return null
  const result = replay.data?.data
  return (
    <div className="actions">
      {result === undefined ? (
        <Button
          look="primary"
          isDisabled={replay.isPending}
          onPress={() => {
            replay.mutate()
          }}
        >
          {outcome === 'refused' ? 'Verify again' : 'Process again'}
        </Button>
      ) : (
        <Notice tone={result.delivery_id === null ? 'warn' : 'info'}>
          <span>
            <Badge state={result.outcome} /> {result.reason !== null && <Untrusted text={result.reason} />}{' '}
            {result.delivery_id !== null && (
              <Link href={`/deliveries/${result.delivery_id}`}>Open the delivery</Link>
            )}
          </span>
        </Notice>
      )}
      {replay.isError && <ErrorNotice error={replay.error} />}
    </div>
  )
}
