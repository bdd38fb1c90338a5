import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { SetupSteps } from '../help/setup-steps.tsx'
import { PageHeader } from '../layout/layout.tsx'
import { useOperator } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card, Fact } from '../ui/card.tsx'
import { CopyValue } from '../ui/copy.tsx'
import { bindChange, Confirm, DialogBox } from '../ui/dialog.tsx'
import { ErrorNotice, Loading } from '../ui/notice.tsx'
import { Id, Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { toPublicAddress } from './address.ts'
import { EditEndpoint } from './edit-endpoint.tsx'
import { EndpointEvents } from './endpoint-events.tsx'
import { EndpointSecrets } from './endpoint-secrets.tsx'
import { TestDelivery } from './test-delivery.tsx'

type Endpoint = Schemas['Endpoint']

/** One endpoint with its secrets and test deliveries. */
export function EndpointPage({ id }: { readonly id: string }) {
  const query = useQuery({
    queryKey: ['endpoint', id],
    queryFn: ({ signal }) => unwrap(api.GET('/endpoints/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (awaitsHandshake(state.data?.data) ? 2000 : false),
  })
  if (query.isPending) return <Loading />
  if (query.data === undefined) {
    return (
      <>
        <PageHeader title="Endpoint" tabTitle="Endpoint" />
        <ErrorNotice error={query.error} onRetry={query.refetch} />
      </>
    )
  }
  return <Detail endpoint={query.data.data} />
}

const awaitsHandshake = (endpoint: Endpoint | undefined): boolean =>
  endpoint?.handshake_until != null && Date.parse(endpoint.handshake_until) > Date.now()

function Detail({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, name, provider, labels, options } = endpoint
  const { has } = useFeatures()
  const kinds = options.only ?? []
  return (
    <>
      <p className="crumbs">
        <Link href="/endpoints">← Endpoints</Link>
      </p>
      <PageHeader
        tabTitle={`Endpoint ${id}`}
        title={
          <>
            <Untrusted text={name} limit={200} /> <Badge state={endpoint.status} />
          </>
        }
        lead={provider}
      >
        <LinkButton to={`/deliveries?endpoint=${encodeURIComponent(id)}`}>Deliveries</LinkButton>
        <Actions endpoint={endpoint} />
      </PageHeader>
      <div className="columns">
        <div className="column-main">
          <Card title="Address">
            <CopyValue value={toPublicAddress(endpoint.url)} />
          </Card>
          <Card title="Secrets">
            <EndpointSecrets endpoint={endpoint} />
          </Card>
          {has('createTestDelivery', 'getProvider') && (
            <Card title="Test delivery">
              <TestDelivery endpoint={endpoint} />
            </Card>
          )}
        </div>
        <div className="column-side">
          <Card title="Facts">
            <dl className="facts">
              <Fact name="Id">
                <Id value={id} />
              </Fact>
              <Fact name="Created">
                <Time value={endpoint.created_at} />
              </Fact>
              <Fact name="Changed">
                <Time value={endpoint.updated_at} />
              </Fact>
              <LastUse id={id} />
              {endpoint.subscription && (
                <Fact name="At the service">
                  <SubscriptionState {...endpoint.subscription} />{' '}
                  {has('listSubscriptions') && (
                    <Link href={`/subscriptions?endpoint=${encodeURIComponent(id)}`}>Subscriptions</Link>
                  )}
                </Fact>
              )}
              <Fact name="Kinds">{kinds.length === 0 ? 'all' : kinds.join(', ')}</Fact>
              {options.tolerance_seconds !== undefined && (
                <Fact name="Tolerance">{options.tolerance_seconds} s</Fact>
              )}
              {Object.entries(labels).map(([label, value]) => (
                <Fact key={label} name={label}>
                  <Untrusted text={value} limit={255} />
                </Fact>
              ))}
            </dl>
          </Card>
          <EndpointEvents endpoint={endpoint} />
          {has('getProvider') && (
            <Card title="At the service">
              <SetupSteps provider={provider} />
            </Card>
          )}
        </div>
      </div>
    </>
  )
}

/** The state of the webhook at the service, its expiry, and the error. */
function SubscriptionState({ state, expires_at: expiresAt, error }: Schemas['SubscriptionSummary']) {
  return (
    <>
      <Badge state={state} />
      {expiresAt !== null && (
        <>
          {' expires '}
          <Time value={expiresAt} isRelative />
        </>
      )}
      {error !== null && `, ${error}`}
    </>
  )
}

/** When the newest delivery of an endpoint was received. */
function LastUse({ id }: { readonly id: string }) {
  const query = useQuery({
    queryKey: ['deliveries', { endpoint: id }, 'newest'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/deliveries', { params: { query: { endpoint: id, limit: 1 } }, signal })),
    refetchInterval: 10_000,
  })
  if (query.data === undefined) return null
  const [newest] = query.data.data
  return <Fact name="Last delivery">{newest ? <Time value={newest.created_at} isRelative /> : 'none'}</Fact>
}

function Actions({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, status } = endpoint
  const { has } = useFeatures()
  const operator = useOperator()
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [asked, setAsked] = useState<'edit' | 'disable' | 'delete'>()
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['endpoint', id] }),
      queries.invalidateQueries({ queryKey: ['endpoints'] }),
    ])
  const setStatus = useMutation({
    mutationFn: (next: Endpoint['status']) =>
      unwrap(api.PATCH('/endpoints/{id}', { params: { path: { id } }, body: { status: next } })),
    onSuccess: async () => {
      setAsked(undefined)
      await refresh()
    },
  })
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/endpoints/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      navigate('/endpoints')
      await queries.invalidateQueries({ queryKey: ['endpoints'] })
    },
  })
  if (!operator?.may('manage')) return null
  const close = () => {
    setAsked(undefined)
  }
  return (
    <>
      {has('patchEndpoint') && (
        <Button
          onPress={() => {
            setAsked('edit')
          }}
        >
          Edit
        </Button>
      )}
      <DialogBox title="Edit the endpoint" isOpen={asked === 'edit'} onClose={close}>
        <EditEndpoint endpoint={endpoint} onClose={close} />
      </DialogBox>
      {has('patchEndpoint') &&
        (status === 'active' ? (
          <Button
            onPress={() => {
              setAsked('disable')
            }}
          >
            Disable
          </Button>
        ) : (
          <Button
            look="primary"
            isDisabled={setStatus.isPending}
            onPress={() => {
              setStatus.mutate('active')
            }}
          >
            Enable
          </Button>
        ))}
      {has('deleteEndpoint') && (
        <Button
          look="danger"
          onPress={() => {
            setAsked('delete')
          }}
        >
          Delete
        </Button>
      )}
      <Confirm
        title="Disable the endpoint"
        isOpen={asked === 'disable'}
        onClose={close}
        action="Disable"
        isDangerous
        change={bindChange(setStatus, 'disabled')}
      >
        <p>
          The gateway refuses its deliveries until the endpoint is enabled again. Most services then stop
          sending after a time.
        </p>
      </Confirm>
      <Confirm
        title="Delete the endpoint"
        isOpen={asked === 'delete'}
        onClose={close}
        action="Delete"
        isDangerous
        change={remove}
      >
        <p>
          This deletes the endpoint and its secrets for good. Its deliveries and events stay for their
          retention.
        </p>
      </Confirm>
    </>
  )
}
