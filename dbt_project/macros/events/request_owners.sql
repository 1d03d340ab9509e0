{# What a request's record says of the run and the place that it stands in. #}
{% macro fields_of_the_owner() %}
    {{ return([
        'run_id', 'session_id', 'ordinal', 'sub_agent_id', 'agent', 'harness_version', 'attempt_id',
        'source_ref', 'source_offset',
    ]) }}
{% endmacro %}

{#
The run that owns each request that several runs tell: the one that another of them names as its parent (of a chain, the
first), else an attempt before a session, else the one that began first, else one without requests of its own, else the
smallest run_id. Steps of resolved_events.
#}
{% macro request_owners() -%}
tellers as (

    select
        source,
        turn_id,
        run_id,
        count(*) over (partition by source, turn_id) as runs
    from (select distinct source, turn_id, run_id from copies_numbered) as told

),

tellers_described as (

    select
        tellers.source,
        tellers.turn_id,
        tellers.run_id,
        started.kind,
        started.parent_run_id,
        started.occurred_at as started_at
    from tellers
    left join {{ ref('stg_events__run_started') }} as started on tellers.run_id = started.run_id
    where tellers.runs > 1

),

parents as (

    select distinct
        source,
        turn_id,
        parent_run_id as run_id
    from tellers_described
    where parent_run_id <> run_id

),

own_requests as (

    select run_id
    from events_marked
    where is_told_again is null and run_id in (select run_id from tellers_described)

    union

    select run_id
    from tellers
    where runs = 1

),

owners_ranked as (

    select
        described.source,
        described.turn_id,
        described.run_id,
        row_number() over (
            partition by described.source, described.turn_id
            order by
                case
                    when parents.run_id is null then 2
                    when grandparents.turn_id is not null then 1
                    else 0
                end,
                case when described.kind = 'attempt' then 0 else 1 end,
                case when described.started_at is null then 1 else 0 end,
                described.started_at,
                case when own_requests.run_id is null then 0 else 1 end,
                described.run_id
        ) as choice
    from tellers_described as described
    left join parents
        on
            described.source = parents.source
            and described.turn_id = parents.turn_id
            and described.run_id = parents.run_id
    left join tellers_described as grandparents
        on
            described.source = grandparents.source
            and described.turn_id = grandparents.turn_id
            and described.parent_run_id = grandparents.run_id
    left join own_requests on described.run_id = own_requests.run_id

),

request_owners as (

    select
        source,
        turn_id,
        run_id
    from owners_ranked
    where choice = 1

),
{%- endmacro %}
