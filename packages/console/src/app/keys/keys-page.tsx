import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { PageHeader } from '../layout/layout.tsx'
import { useOperator } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { ListFrame } from '../ui/list-frame.tsx'
import { Empty } from '../ui/notice.tsx'
import { actionsColumn, Table } from '../ui/table.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { useList } from '../ui/use-list.ts'
import { CreateKey } from './create-key.tsx'

/** The keys of programs. */
export function KeysPage() {
  const { has } = useFeatures()
  const may = useOperator()?.may('manage') === true
  const [isCreating, setCreating] = useState(false)
  const list = useList({
    key: ['keys'],
    load: (cursor, signal) => unwrap(api.GET('/keys', { params: { query: { cursor, limit: 50 } }, signal })),
  })
  return (
    <>
      <PageHeader
        title="API keys"
        tabTitle="API keys"
        lead="Long-lived keys with scopes, for CI, cron and the command line. Send a key as a bearer token."
      >
        {may && has('createKey') && (
          <Button
            look="primary"
            onPress={() => {
              setCreating(true)
            }}
          >
            Create key
          </Button>
        )}
      </PageHeader>
      <ListFrame list={list} empty={<Empty title="There is no key." />} end="These are all keys.">
        <Table
          caption="API keys"
          columns={['Name', 'Scopes', 'Created', 'Last used', 'Expires', actionsColumn]}
        >
          {list.items.map((key) => (
            <Row key={key.id} apiKey={key} mayRevoke={may && has('deleteKey')} />
          ))}
        </Table>
      </ListFrame>
      <CreateKey
        isOpen={isCreating}
        onClose={() => {
          setCreating(false)
        }}
      />
    </>
  )
}

function Row({ apiKey, mayRevoke }: { readonly apiKey: Schemas['Key']; readonly mayRevoke: boolean }) {
  const { id, name, scopes, endpoints, last_used_at: usedAt, expires_at: expiresAt } = apiKey
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const revoke = useMutation({
    mutationFn: () => unwrap(api.DELETE('/keys/{id}', { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  })
  const isExpired = expiresAt !== null && Date.parse(expiresAt) < Date.now()
  return (
    <tr>
      <td className="cell-main">
        <strong>
          <Untrusted text={name} limit={100} />
        </strong>
        <span className="row-detail">
          <code>{apiKey.prefix}…</code>
        </span>
      </td>
      <td className="cell-problem">
        {scopes.map((scope) => (
          <code key={scope} className="scope">
            {scope}
          </code>
        ))}
        {endpoints !== null && <Untrusted text={endpoints} limit={100} />}
      </td>
      <td className="cell-time">
        <Time value={apiKey.created_at} />
      </td>
      <td className="cell-time" data-label="Last used">
        {usedAt === null ? <span className="muted">never</span> : <Time value={usedAt} isRelative />}
      </td>
      <td className="cell-time" data-label="Expires">
        {expiresAt === null ? (
          <span className="muted">never</span>
        ) : (
          <span className={isExpired ? 'text-bad' : undefined}>
            <Time value={expiresAt} isRelative />
          </span>
        )}
      </td>
      <td className="cell-number">
        {mayRevoke && (
          <Button
            look="quiet"
            onPress={() => {
              setAsking(true)
            }}
          >
            Revoke
          </Button>
        )}
        <Confirm
          title="Revoke the key"
          isOpen={isAsking}
          onClose={() => {
            setAsking(false)
          }}
          action="Revoke"
          isDangerous
          change={revoke}
        >
          <p>
            Programs with the key <Untrusted text={name} limit={100} /> get 401 from now on.
          </p>
        </Confirm>
      </td>
    </tr>
  )
}
