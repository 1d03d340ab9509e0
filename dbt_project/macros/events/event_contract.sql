{# Written by `python -m models.dbt_contracts` from the event contracts; a test compares. #}
{% macro event_contract(event_type) %}
    {% set contracts = {
        'task_defined': {
            'natural_key': [],
            'is_time_in_key': False,
            'rule': 'earliest_occurred_at',
            'payload': ['dataset', 'dataset_version', 'task_id', 'split', 'repo', 'ref', 'complexity', 'tags', 'language', 'declared_verifier', 'published_at', 'statement_hash'],
        },
        'run_started': {
            'natural_key': ['run_id'],
            'is_time_in_key': False,
            'rule': 'conflict',
            'payload': ['run_id', 'kind', 'source', 'harness', 'llm', 'serving_path', 'skill', 'effort', 'dataset', 'dataset_version', 'split', 'task_id', 'attempt_number', 'batch_id', 'declared_cost_basis', 'client_price', 'seller', 'hosting', 'region', 'harness_version', 'harness_wrapper', 'harness_wrapper_version', 'llm_wire_name', 'skill_hash', 'instance_type', 'precision', 'tensor_parallel_size', 'context_window_tokens', 'budget_wall_s', 'budget_usd', 'budget_tokens', 'budget_turns', 'budget_tool_calls', 'parent_run_id', 'session_id', 'project'],
        },
        'run_finished': {
            'natural_key': ['run_id'],
            'is_time_in_key': False,
            'rule': 'conflict',
            'payload': ['run_id', 'outcome', 'outcome_detail', 'exit_code', 'wall_s', 'turns', 'agent_invocations', 'artifacts_produced', 'artifacts_expected', 'artifacts_hash', 'patch_hash'],
        },
        'turn_completed': {
            'natural_key': ['source', 'turn_id'],
            'is_time_in_key': False,
            'rule': 'conflict',
            'payload': ['turn_id', 'source', 'run_id', 'session_id', 'ordinal', 'agent', 'sub_agent_id', 'llm_asked', 'llm_answered', 'provider_asked', 'provider_answered', 'endpoint_tag', 'quantization', 'region', 'service_tier', 'status', 'retry_number', 'ttft_ms', 'duration_ms', 'stop_reason', 'tool_call_ids', 'request_id', 'message_id', 'response_id', 'usage_format', 'attempt_id', 'tool_names', 'error_code', 'harness_version', 'bad_utf8_bytes'],
        },
        'tokens_reported': {
            'natural_key': ['source', 'subject_kind', 'subject_id'],
            'is_time_in_key': False,
            'rule': 'highest_revision',
            'payload': ['subject_kind', 'subject_id', 'run_id', 'source', 'usage_format', 'raw_counts', 'completeness', 'incomplete_reason'],
        },
        'cost_reported': {
            'natural_key': ['source', 'subject_kind', 'subject_id', 'cost_basis'],
            'is_time_in_key': False,
            'rule': 'highest_revision',
            'payload': ['subject_kind', 'subject_id', 'run_id', 'source', 'cost_basis', 'amount', 'currency', 'client_price'],
        },
        'price_observed': {
            'natural_key': ['book', 'seller', 'endpoint_tag', 'region', 'llm', 'meter', 'instance_type', 'purchase_option', 'context_over_tokens', 'service_tier', 'speed', 'effective_from', 'observed_at'],
            'is_time_in_key': False,
            'rule': 'conflict',
            'payload': ['book', 'seller', 'endpoint_tag', 'region', 'llm', 'meter', 'unit', 'amount', 'currency', 'instance_type', 'purchase_option', 'gpu', 'gpus_per_instance', 'context_over_tokens', 'service_tier', 'speed', 'effective_from', 'observed_at', 'note'],
        },
        'bill_line_recorded': {
            'natural_key': ['source', 'account', 'billing_period_start', 'line_key'],
            'is_time_in_key': False,
            'rule': 'highest_revision',
            'payload': ['source', 'account', 'billing_period_start', 'billing_period_end', 'line_key', 'charge_period_start', 'charge_period_end', 'charge_category', 'charge_description', 'service_name', 'sku_id', 'region_id', 'resource_id', 'billed_cost', 'effective_cost', 'list_cost', 'billing_currency', 'consumed_quantity', 'consumed_unit', 'tags_json'],
        },
        'throughput_sampled': {
            'natural_key': ['source', 'server', 'engine', 'sampled_at', 'sweep', 'concurrency'],
            'is_time_in_key': False,
            'rule': 'conflict',
            'payload': ['source', 'server', 'engine', 'sample_kind', 'sampled_at', 'sweep', 'concurrency', 'llm', 'instance_type', 'precision', 'tensor_parallel_size', 'tenancy', 'usd_per_hour', 'window_s', 'is_drain_included', 'prompt_tokens', 'generation_tokens', 'prompt_tokens_per_s', 'output_tokens_per_s', 'requests_running_mean', 'requests_waiting_mean', 'kv_cache_mean', 'kv_cache_peak', 'ttft_ms_mean', 'ttft_ms_p50', 'ttft_ms_p90', 'ttft_ms_p99', 'is_ttft_upper_bound', 'tpot_ms_mean', 'failed_requests', 'total_requests', 'task_input_tokens', 'task_output_tokens'],
        },
        'run_graded': {
            'natural_key': ['run_id', 'verifier', 'verifier_version', 'rubric_hash', 'evaluation_number'],
            'is_time_in_key': False,
            'rule': 'conflict',
            'payload': ['run_id', 'verifier', 'verifier_version', 'rubric_hash', 'evaluation_number', 'is_resolved', 'status', 'status_reason', 'fail_to_pass_passed', 'fail_to_pass_total', 'pass_to_pass_passed', 'pass_to_pass_total'],
        },
        'run_judged': {
            'natural_key': ['run_id', 'judge', 'judge_version', 'rubric_hash', 'artifact', 'criterion', 'evaluation_number'],
            'is_time_in_key': False,
            'rule': 'conflict',
            'payload': ['run_id', 'judge', 'judge_version', 'rubric_hash', 'evaluation_number', 'artifact', 'criterion', 'score', 'scale_max', 'status', 'status_reason'],
        },
        'run_flagged': {
            'natural_key': [],
            'is_time_in_key': False,
            'rule': 'cannot_happen',
            'payload': ['run_id', 'flag', 'detail'],
        },
        'run_excluded': {
            'natural_key': ['run_id'],
            'is_time_in_key': True,
            'rule': 'latest_decides',
            'payload': ['run_id', 'is_excluded', 'reason', 'note', 'excluded_by'],
        },
        'claim_published': {
            'natural_key': [],
            'is_time_in_key': False,
            'rule': 'cannot_happen',
            'payload': ['source', 'table_name', 'era', 'scope', 'dataset', 'dataset_version', 'split', 'task_id', 'run_id', 'source_arm', 'harness', 'llm', 'serving_path', 'skill', 'effort', 'metric', 'value_text', 'value', 'unit', 'note'],
        },
        'record_set_aside': {
            'natural_key': ['collector', 'path', 'record_offset', 'fingerprint'],
            'is_time_in_key': False,
            'rule': 'earliest_occurred_at',
            'payload': ['collector', 'path', 'record_offset', 'reason', 'fingerprint'],
        },
        'split_frozen': {
            'natural_key': [],
            'is_time_in_key': False,
            'rule': 'cannot_happen',
            'payload': ['dataset', 'dataset_version', 'split', 'task_ids_hash', 'reason'],
        },
        'split_opened': {
            'natural_key': [],
            'is_time_in_key': False,
            'rule': 'cannot_happen',
            'payload': ['dataset', 'dataset_version', 'split', 'task_ids_hash', 'reason', 'opened_by', 'purpose'],
        },
    } %}
    {{ return(contracts[event_type]) }}
{% endmacro %}
