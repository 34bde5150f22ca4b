import * as z from 'zod';
import type { ConnectionFilter } from '../../gateway/connections/connection.rules.ts';
import { HEALTH_FILTERS, hasHealth } from '../../gateway/connections/health.rules.ts';
import { DEATH_CAUSES } from '../../gateway/core/grant-death.ts';
import { CONNECTION_LIST_MAX, COUNTED_ITEMS_MAX } from '../../gateway/core/limits.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { LIST_ITEM } from '../../gateway/openapi/sample.ts';
import { reaches } from '../authenticate.ts';
import { refuseUnknownFilter } from '../integrations/unknown-integrations.ts';
import { ListPage } from '../list-page.ts';
import { type Caller, type Route, route } from '../route.ts';
import { cursor, integerParam, integrationList, queryText as text } from '../schemas/common.ts';
import {
  connectionListItem,
  listItemAnswer,
  totalAnswer,
  totalIsComplete,
  usedConnectionListItem,
} from './connection-answer.ts';
import {
  CONNECTION_SORTS,
  countListed,
  findListed,
  findNamed,
  forOneAnswer,
  listConnections,
  type ShownConnection,
} from './list-connections.ts';
import { healthCounter, listedHealth, narrowedTo } from './listed-health.ts';

/** Query of `GET /connections`. */
export const listQuery = z
  .strictObject({
    connection_id: text.optional(),
    search: text.optional(),
    end_user_id: text.optional(),
    end_user_organization_id: text.optional(),
    provider_config_key: integrationList
      .optional()
      .meta({ description: 'The unique_key of an integration, or several separated by commas.' }),
    status: z
      .enum(['active', 'reauthorization_required'], { error: 'must be active or reauthorization_required' })
      .optional(),
    health: z
      .enum(HEALTH_FILTERS, { error: `must be one of ${HEALTH_FILTERS.join(', ')}` })
      .optional()
      .meta({ description: 'working: active, not_used_yet and ends_soon together.' }),
    cause: z.enum(DEATH_CAUSES, { error: `must be one of ${DEATH_CAUSES.join(', ')}` }).optional(),
    tags: z
      .record(z.string().max(64), z.string().max(255))
      .refine((tags) => Object.keys(tags).length <= 10, 'at most 10 tags')
      .transform((tags) => Object.fromEntries(Object.entries(tags).map(([key, value]) => [tagName(key), value])))
      .optional(),
    sort: z.enum(CONNECTION_SORTS, { error: `must be one of ${CONNECTION_SORTS.join(', ')}` }).optional(),
    include: text
      .transform((list) => list.split(','))
      .pipe(z.array(z.enum(['total', 'last_used'], { error: 'names total, last_used or both with a comma between' })))
      .optional(),
    limit: integerParam(1, CONNECTION_LIST_MAX).optional(),
    page: integerParam(0, COUNTED_ITEMS_MAX).optional(),
    cursor,
  })
  .superRefine(({ page = 0, limit = CONNECTION_LIST_MAX, cursor }, context) => {
    const problem = (message: string) => context.addIssue({ code: 'custom', path: ['page'], message });
    if (page * limit > COUNTED_ITEMS_MAX) {
      problem(
        `reaches at most ${COUNTED_ITEMS_MAX} connections; continue with cursor=<next_cursor of the page before>`,
      );
    }
    if (cursor !== undefined && page > 0) problem('send page or cursor, not both');
  });

/** As Nango's client spells them. */
const FORMER_LIST_QUERY = {
  connectionId: 'connection_id',
  endUserId: 'end_user_id',
  endUserOrganizationId: 'end_user_organization_id',
  integrationId: 'provider_config_key',
};

/** Keys in the compatible client's spelling: lower case, two of them renamed. */
function tagName(key: string): string {
  if (key === 'displayName') return 'end_user_display_name';
  if (key === 'email') return 'end_user_email';
  return key.toLowerCase();
}

/** A list that nothing can be in. */
function emptyList(withTotal: boolean) {
  return { connections: [], next_cursor: null, ...(withTotal ? { total: 0, total_is_complete: true } : {}) };
}

const tag = 'Connections';

/** The list of connections, which reads no token. */
export const connectionListRoute: Route = route({
  method: 'GET',
  pattern: '/connections',
  access: { right: 'read' },
  query: listQuery,
  formerQuery: FORMER_LIST_QUERY,
  describe: documented(() => ({
    id: 'listConnections',
    tag,
    summary: 'List connections, newest first',
    description:
      'Without limit, a page has up to 2000 connections. Send `page` or `cursor`, not both. Follow next_cursor for more; page reaches at most 10,000 connections. A search finds at most 1,000 connections; sorting by last use works for at most 2,000, after search and filters. The total of a list that is taken from more than 2,000 connections may be minutes old. With health, a page may be short or empty and still have a next page, because every connection of that status is examined.',
    answer: z
      .object({
        connections: z.array(listItemAnswer()),
        next_cursor: z.string().nullable().meta({ description: 'Send as cursor for the next page; null at the end.' }),
        total: totalAnswer()
          .nullable()
          .optional()
          .meta({ description: 'With include=total: number of connections in the list.' }),
        total_is_complete: totalIsComplete().optional(),
      })
      .meta({ id: 'ConnectionList' }),
    errors: [],
    example: {
      query: { endUserId: 'user-42', limit: '50' },
      answer: { connections: [LIST_ITEM], next_cursor: null },
    },
  })),
  async handle({ caller, query }, services) {
    const { limit = CONNECTION_LIST_MAX, page = 0, cursor } = query;
    const integrationIds = reachable(caller, query.provider_config_key);
    if (integrationIds?.length === 0) return emptyList(query.include?.includes('total') === true);
    const filter: ConnectionFilter = {
      ...(integrationIds === undefined ? {} : { integrationIds }),
      ...(query.status === undefined ? {} : { status: query.status }),
      ...(query.cause === undefined ? {} : { cause: query.cause }),
      ...(query.connection_id === undefined ? {} : { connectionId: query.connection_id }),
      ...(query.end_user_id === undefined ? {} : { endUserId: query.end_user_id }),
      ...(query.end_user_organization_id === undefined ? {} : { organizationId: query.end_user_organization_id }),
      ...(query.tags === undefined ? {} : { tags: query.tags }),
    };
    const { accountId } = caller;
    const { search, sort = '-created', include = [] } = query;
    const health = await listedHealth(services, accountId);
    const existing = new Set(health.integrations.map(({ integrationId }) => integrationId));
    const missing = integrationIds?.filter((id) => !existing.has(id));
    if (query.provider_config_key !== undefined) await refuseUnknownFilter(services, caller, missing);
    const narrowed = query.health === undefined ? filter : narrowedTo(query.health, filter, health.integrations);
    if (narrowed === undefined) return emptyList(include.includes('total'));
    // Dead connections follow from their status, without further checks.
    const { health: asked } = query;
    const isWanted =
      asked === undefined || asked === 'dead'
        ? undefined
        : (connection: ShownConnection) => hasHealth(health.of(connection).status, asked);
    const withLastUse = include.includes('last_used');
    let list = new ListPage<AnswerOf<typeof listItemAnswer>>();
    const newPage = () => {
      list = new ListPage();
      return (connection: ShownConnection) => {
        const of = health.of(connection);
        return list.take(withLastUse ? usedConnectionListItem(connection, of) : connectionListItem(connection, of));
      };
    };
    const countWanted = asked && healthCounter(asked, narrowed.integrationIds, health.integrations);
    const wanted = { accountId, filter: narrowed, isWanted, countWanted };
    const found = async () => {
      if (search !== undefined) return findListed(services, wanted, search);
      const ids = health.integrations.map(({ integrationId }) => integrationId);
      return query.connection_id === undefined ? undefined : findNamed(services, wanted, query.connection_id, ids);
    };
    const request = {
      ...wanted,
      found: await found(),
      sort,
      withLastUse,
      limit,
      page,
      cursor,
    };
    const listing = forOneAnswer(services);
    const [nextCursor, counted] = await Promise.all([
      listConnections(listing, request, newPage),
      include.includes('total') ? countListed(listing, request) : undefined,
    ]);
    const total = include.includes('total')
      ? { total: counted?.total ?? null, total_is_complete: counted?.complete ?? false }
      : {};
    return { connections: list.items, next_cursor: nextCursor ?? null, ...total };
  },
});

/** Integrations to list: what is asked for, as far as the key goes; undefined = all. */
function reachable(caller: Caller, asked: readonly string[] | undefined): readonly string[] | undefined {
  if (asked === undefined) return caller.integrationIds;
  return asked.filter((id) => reaches(caller, id));
}
