import type { Webhook } from '@account-sync/client';
import { Text } from '@mantine/core';
import { useDeliveries } from '../../api/webhooks';
import { Panel } from '../../components/panel';
import { QueryView } from '../../components/query-view';
import { ShowMore } from '../../components/show-more';
import { SkeletonLines } from '../../components/skeleton-lines';
import { DeliveryRow } from './delivery-row';

/** Attempts to deliver, newest first. */
export function DeliveriesPanel({ webhook }: { webhook: Webhook }) {
  const query = useDeliveries(webhook);
  return (
    <Panel title="Deliveries">
      <QueryView query={query} loading={<SkeletonLines lines={5} height={48} />}>
        {({ pages }) => {
          const deliveries = pages.flatMap(({ data }) => data);
          if (deliveries.length === 0) {
            return (
              <Text size="sm" c="dimmed">
                Nothing was sent so far, or not for as long as deliveries are kept. Send a test event to see
                how the receiver answers.
              </Text>
            );
          }
          return (
            <>
              <ul className="row-list" aria-label="Deliveries, newest first">
                {deliveries.map((delivery) => (
                  <DeliveryRow key={delivery.id} delivery={delivery} />
                ))}
              </ul>
              <ShowMore query={query} />
            </>
          );
        }}
      </QueryView>
    </Panel>
  );
}
