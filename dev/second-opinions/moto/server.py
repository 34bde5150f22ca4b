"""Starts moto's server on a loopback port, with the CloudFormation types added that its services know but its CloudFormation
does not.

    python server.py --port PORT      serves until it is ended
                --account ID          account that everything belongs to
                --declared ADDRESS    runs the function that serves resources of the types Custom::Gateway…
    python server.py --types          prints as JSON what is added, what only gets an identity, what an update leaves alone

An added type is made through moto's own API of the service, as any client would: botocore checks the parameters, moto's
service decides. Nothing is left out in silence. A type that is in no list makes the deployment fail, and so does an entry
that is no longer needed because moto has learned the type.
"""

import argparse
import copy
import json
import os
import re
import sys
import traceback
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import boto3
from botocore.exceptions import ClientError
from botocore.model import Shape
from moto import server as moto_server
from moto.apigateway.models import Deployment
from moto.cloudformation import parsing
from moto.cloudformation.exceptions import ValidationError
from moto.cloudformation.models import CloudFormationBackend, Stack
from moto.cloudformation.responses import CloudFormationResponse
from moto.cloudfront.responses import CloudFrontResponse
from moto.cloudwatch.responses import CloudWatchResponse
from moto.cognitoidp.responses import CognitoIdpResponse
from moto.core.common_models import CloudFormationModel
from moto.core.exceptions import ServiceException
from moto.core.responses import ActionResult, EmptyResult
from moto.events.models import EventBus
from moto.iam.models import Role
from moto.kms.models import Key
from moto.logs.responses import LogsResponse

Properties = dict[str, Any]


_clean_json = parsing.clean_json


def clean_json(resource_json: Any, resources_map: Any) -> Any:
    """moto leaves AWS::NoValue in a list as None; CloudFormation leaves it out."""
    cleaned = _clean_json(resource_json, resources_map)
    return [one for one in cleaned if one is not None] if isinstance(cleaned, list) else cleaned


parsing.clean_json = clean_json


@dataclass
class Made:
    """A resource: what `Ref` gives, what `Fn::GetAtt` gives, and how to delete it."""

    ref: str
    attributes: dict[str, Any] = field(default_factory=dict)
    delete: Callable[[], Any] = lambda: None


@dataclass
class Aws:
    """Calls moto's services in one region."""

    region: str
    endpoint: str

    def call(self, service: str, operation: str, given: Properties, **more: Any) -> dict[str, Any]:
        """Calls an operation with a resource's properties; names and shapes of the API are found by themselves."""
        client = boto3.client(
            service,
            region_name=self.region,
            endpoint_url=self.endpoint,
            aws_access_key_id="AKIDEXAMPLE",
            aws_secret_access_key="secret",
        )
        shape = client.meta.service_model.operation_model(_camel(operation)).input_shape
        return getattr(client, operation)(**fit(shape, {**given, **more}, operation))


def _camel(operation: str) -> str:
    return "".join(part.capitalize() for part in operation.split("_"))


def fit(shape: Shape, value: Any, path: str) -> Any:
    """Gives a property of a template the form that the service's API has for it.

    Raises ValidationError naming a property that the API does not know.
    """
    if shape.type_name == "structure":
        if isinstance(value, list) and {"Quantity", "Items"} <= shape.members.keys():
            value = {"Quantity": len(value), "Items": value}
        names = {name.lower(): name for name in shape.members}
        fitted = {}
        for key, member in value.items():
            if key.lower() not in names:
                raise ValidationError(message=f"{path}: the API does not know {key}")
            name = names[key.lower()]
            fitted[name] = fit(shape.members[name], member, f"{path}.{name}")
        if "Quantity" in names.values() and "Items" in fitted:
            fitted.setdefault("Quantity", len(fitted["Items"]))
        return fitted
    if shape.type_name == "list":
        return [fit(shape.member, one, f"{path}[{index}]") for index, one in enumerate(value)]
    if shape.type_name == "map":
        return {key: fit(shape.value, member, f"{path}.{key}") for key, member in value.items()}
    if shape.type_name == "string" and not isinstance(value, str):
        return json.dumps(value)
    if shape.type_name in ("integer", "long"):
        return int(value)
    if shape.type_name in ("double", "float"):
        return float(value)
    if shape.type_name == "boolean" and isinstance(value, str):
        return value == "true"
    return value


def without(properties: Properties, *names: str) -> Properties:
    return {name: value for name, value in properties.items() if name not in names}


def global_table(aws: Aws, name: str, properties: Properties) -> Made:
    """The table of one region: moto knows no GlobalTable, but everything that a replica is made of."""
    [replica] = properties["Replicas"]
    if replica["Region"] != aws.region:
        raise ValidationError(message=f"The replica is in {replica['Region']}, the stack in {aws.region}.")
    table = properties.get("TableName", name)
    streamed = properties.get("StreamSpecification")
    stream = {} if streamed is None else {"StreamSpecification": {"StreamEnabled": True, **streamed}}
    created = aws.call(
        "dynamodb",
        "create_table",
        without(properties, "Replicas", "TimeToLiveSpecification", "StreamSpecification"),
        TableName=table,
        DeletionProtectionEnabled=replica.get("DeletionProtectionEnabled", False),
        **encryption(properties, replica),
        **stream,
    )["TableDescription"]
    if "TimeToLiveSpecification" in properties:
        ttl = {"TimeToLiveSpecification": properties["TimeToLiveSpecification"]}
        aws.call("dynamodb", "update_time_to_live", ttl, TableName=table)
    if "PointInTimeRecoverySpecification" in replica:
        recovery = {"PointInTimeRecoverySpecification": replica["PointInTimeRecoverySpecification"]}
        aws.call("dynamodb", "update_continuous_backups", recovery, TableName=table)
    attributes = {"Arn": created["TableArn"]}
    if "LatestStreamArn" in created:
        attributes["StreamArn"] = created["LatestStreamArn"]
    return Made(table, attributes, lambda: aws.call("dynamodb", "delete_table", {"TableName": table}))


def encryption(properties: Properties, replica: Properties) -> Properties:
    if "SSESpecification" not in properties:
        return {}
    specification = {
        "Enabled": properties["SSESpecification"]["SSEEnabled"],
        "SSEType": properties["SSESpecification"]["SSEType"],
        "KMSMasterKeyId": replica["SSESpecification"]["KMSMasterKeyId"],
    }
    return {"SSESpecification": specification}


def secret(aws: Aws, name: str, properties: Properties) -> Made:
    rest = without(properties, "GenerateSecretString")
    generate = properties.get("GenerateSecretString")
    if generate is not None:
        template_key = generate.get("GenerateStringKey")
        asked = without(generate, "GenerateStringKey", "SecretStringTemplate")
        password = aws.call("secretsmanager", "get_random_password", asked)["RandomPassword"]
        if template_key is not None:
            password = json.dumps({**json.loads(generate["SecretStringTemplate"]), template_key: password})
        rest["SecretString"] = password
    arn = aws.call("secretsmanager", "create_secret", {"Name": name, **rest})["ARN"]
    forget = {"SecretId": arn, "ForceDeleteWithoutRecovery": True}
    return Made(arn, {"Id": arn}, lambda: aws.call("secretsmanager", "delete_secret", forget))


def stage(aws: Aws, name: str, properties: Properties) -> Made:
    key = {"RestApiId": properties["RestApiId"], "StageName": properties["StageName"]}
    rest = without(properties, "MethodSettings", "AccessLogSetting")
    aws.call("apigateway", "create_stage", rest)
    patches = {
        f"{setting['ResourcePath'].replace('/', '~1') if setting['ResourcePath'] != '/*' else '*'}"
        f"/{setting['HttpMethod']}/{path}": setting[name]
        for setting in properties.get("MethodSettings", [])
        for name, path in METHOD_SETTINGS.items()
        if name in setting
    }
    for name, value in properties.get("AccessLogSetting", {}).items():
        patches["accessLogSettings/" + name[0].lower() + name[1:]] = value
    operations = [{"op": "replace", "path": f"/{path}", "value": value} for path, value in patches.items()]
    aws.call("apigateway", "update_stage", {"PatchOperations": operations}, **key)
    return Made(properties["StageName"], {}, lambda: aws.call("apigateway", "delete_stage", key))


METHOD_SETTINGS = {
    "DataTraceEnabled": "logging/dataTrace",
    "LoggingLevel": "logging/loglevel",
    "ThrottlingBurstLimit": "throttling/burstLimit",
    "ThrottlingRateLimit": "throttling/rateLimit",
    "MetricsEnabled": "metrics/enabled",
}


def gateway_response(aws: Aws, name: str, properties: Properties) -> Made:
    key = {"RestApiId": properties["RestApiId"], "ResponseType": properties["ResponseType"]}
    aws.call("apigateway", "put_gateway_response", properties)
    return Made(name, {}, lambda: aws.call("apigateway", "delete_gateway_response", key))


def account_of_api_gateway(aws: Aws, name: str, properties: Properties) -> Made:
    role = [{"op": "replace", "path": "/cloudwatchRoleArn", "value": properties["CloudWatchRoleArn"]}]
    aws.call("apigateway", "update_account", {"PatchOperations": role})
    return Made(name)


def domain_name(aws: Aws, name: str, properties: Properties) -> Made:
    domain = properties["DomainName"]
    made = aws.call("apigateway", "create_domain_name", properties)
    attributes = {
        "RegionalDomainName": made.get("regionalDomainName", f"d-moto.execute-api.{aws.region}.amazonaws.com"),
        "RegionalHostedZoneId": made.get("regionalHostedZoneId", "Z0"),
    }
    return Made(domain, attributes, lambda: aws.call("apigateway", "delete_domain_name", {"DomainName": domain}))


def base_path_mapping(aws: Aws, name: str, properties: Properties) -> Made:
    aws.call("apigateway", "create_base_path_mapping", properties)
    key = {"DomainName": properties["DomainName"], "BasePath": properties.get("BasePath", "(none)")}
    return Made(name, {}, lambda: aws.call("apigateway", "delete_base_path_mapping", key))


def origin_access_control(aws: Aws, name: str, properties: Properties) -> Made:
    made = aws.call("cloudfront", "create_origin_access_control", properties)
    key = {"Id": made["OriginAccessControl"]["Id"]}
    return Made(key["Id"], key, lambda: aws.call("cloudfront", "delete_origin_access_control", key, IfMatch=made["ETag"]))


def viewer_function(aws: Aws, name: str, properties: Properties) -> Made:
    # moto has no publishing of functions.
    made = aws.call("cloudfront", "create_function", without(properties, "AutoPublish"))
    key = {"Name": properties["Name"]}
    arn = made["FunctionSummary"]["FunctionMetadata"]["FunctionARN"]

    def delete() -> None:
        current = aws.call("cloudfront", "describe_function", key)
        aws.call("cloudfront", "delete_function", key, IfMatch=current["ETag"])

    return Made(arn, {"FunctionARN": arn, "FunctionMetadata.FunctionARN": arn}, delete)


def distribution(aws: Aws, name: str, properties: Properties) -> Made:
    made = aws.call("cloudfront", "create_distribution", distribution_config(properties, name))
    about = made["Distribution"]
    key = {"Id": about["Id"]}

    def delete() -> None:
        current = aws.call("cloudfront", "get_distribution_config", key)
        off = {**current["DistributionConfig"], "Enabled": False}
        stopped = aws.call("cloudfront", "update_distribution", key, DistributionConfig=off, IfMatch=current["ETag"])
        aws.call("cloudfront", "delete_distribution", key, IfMatch=stopped["ETag"])

    return Made(about["Id"], {"Id": about["Id"], "DomainName": about["DomainName"]}, delete)


def distribution_config(properties: Properties, reference: str) -> Properties:
    config = dict(properties["DistributionConfig"])
    if "IPV6Enabled" in config:
        config["IsIPV6Enabled"] = config.pop("IPV6Enabled")
    return {"DistributionConfig": {"CallerReference": reference, **config}}


def alarm(aws: Aws, name: str, properties: Properties) -> Made:
    alarm_name = properties.get("AlarmName", name)
    aws.call("cloudwatch", "put_metric_alarm", properties, AlarmName=alarm_name)
    arn = aws.call("cloudwatch", "describe_alarms", {"AlarmNames": [alarm_name]})["MetricAlarms"][0]["AlarmArn"]
    return Made(alarm_name, {"Arn": arn}, lambda: aws.call("cloudwatch", "delete_alarms", {"AlarmNames": [alarm_name]}))


def user_pool(aws: Aws, name: str, properties: Properties) -> Made:
    rest = without(properties, "EnabledMfas", "UserPoolName", "MfaConfiguration")
    pool_name = properties.get("UserPoolName", name)
    pool = aws.call("cognito-idp", "create_user_pool", rest, PoolName=pool_name)["UserPool"]
    key = {"UserPoolId": pool["Id"]}
    if "MfaConfiguration" in properties:
        factors = {"SoftwareTokenMfaConfiguration": {"Enabled": "SOFTWARE_TOKEN_MFA" in properties["EnabledMfas"]}}
        configuration = {"MfaConfiguration": properties["MfaConfiguration"]}
        aws.call("cognito-idp", "set_user_pool_mfa_config", factors, **key, **configuration)
    provider = f"cognito-idp.{aws.region}.amazonaws.com/{pool['Id']}"
    attributes = {"Arn": pool["Arn"], "ProviderName": provider, "ProviderURL": f"https://{provider}"}
    return Made(pool["Id"], attributes, lambda: aws.call("cognito-idp", "delete_user_pool", key))


def user_pool_client(aws: Aws, name: str, properties: Properties) -> Made:
    client_name = properties.get("ClientName", name)
    made = aws.call("cognito-idp", "create_user_pool_client", properties, ClientName=client_name)["UserPoolClient"]
    key = {"UserPoolId": properties["UserPoolId"], "ClientId": made["ClientId"]}
    return Made(made["ClientId"], {}, lambda: aws.call("cognito-idp", "delete_user_pool_client", key))


def user_pool_domain(aws: Aws, name: str, properties: Properties) -> Made:
    aws.call("cognito-idp", "create_user_pool_domain", properties)
    key = {"Domain": properties["Domain"], "UserPoolId": properties["UserPoolId"]}
    return Made(properties["Domain"], {}, lambda: aws.call("cognito-idp", "delete_user_pool_domain", key))


def user_pool_user(aws: Aws, name: str, properties: Properties) -> Made:
    aws.call("cognito-idp", "admin_create_user", properties)
    key = {"Username": properties["Username"], "UserPoolId": properties["UserPoolId"]}
    return Made(properties["Username"], {}, lambda: aws.call("cognito-idp", "admin_delete_user", key))


def event_invoke_config(aws: Aws, name: str, properties: Properties) -> Made:
    aws.call("lambda", "put_function_event_invoke_config", properties)
    key = {"FunctionName": properties["FunctionName"], "Qualifier": properties["Qualifier"]}
    return Made(name, {}, lambda: aws.call("lambda", "delete_function_event_invoke_config", key))


def function_alias(aws: Aws, name: str, properties: Properties) -> Made:
    # moto keeps no processes started: that part of an alias is left out.
    made = aws.call("lambda", "create_alias", without(properties, "ProvisionedConcurrencyConfig"))
    key = {"FunctionName": properties["FunctionName"], "Name": properties["Name"]}
    return Made(made["AliasArn"], {}, lambda: aws.call("lambda", "delete_alias", key))


def function_url(aws: Aws, name: str, properties: Properties) -> Made:
    key = {"FunctionName": properties["TargetFunctionArn"]}
    made = aws.call("lambda", "create_function_url_config", without(properties, "TargetFunctionArn"), **key)
    attributes = {"FunctionArn": made["FunctionArn"], "FunctionUrl": made["FunctionUrl"]}
    return Made(made["FunctionArn"], attributes, lambda: aws.call("lambda", "delete_function_url_config", key))


def agent(aws: Aws, name: str, properties: Properties) -> Made:
    # moto has no action groups.
    rest = without(properties, "ActionGroups", "AutoPrepare")
    made = aws.call("bedrock-agent", "create_agent", rest)["agent"]
    key = {"AgentId": made["agentId"]}
    return Made(made["agentId"], {"AgentArn": made["agentArn"]}, lambda: aws.call("bedrock-agent", "delete_agent", key))


def queue_policy(aws: Aws, name: str, properties: Properties) -> Made:
    def set_policy(policy: str) -> None:
        for queue in properties["Queues"]:
            aws.call("sqs", "set_queue_attributes", {"QueueUrl": queue, "Attributes": {"Policy": policy}})

    set_policy(json.dumps(properties["PolicyDocument"]))
    return Made(name, {}, lambda: set_policy(""))


def topic_policy(aws: Aws, name: str, properties: Properties) -> Made:
    policy = {"AttributeName": "Policy", "AttributeValue": json.dumps(properties["PolicyDocument"])}
    for topic in properties["Topics"]:
        aws.call("sns", "set_topic_attributes", policy, TopicArn=topic)
    # It goes with its topic.
    return Made(name)


def subscription(aws: Aws, name: str, properties: Properties) -> Made:
    arn = aws.call("sns", "subscribe", properties, ReturnSubscriptionArn=True)["SubscriptionArn"]
    return Made(arn, {}, lambda: aws.call("sns", "unsubscribe", {"SubscriptionArn": arn}))


def bucket_policy(aws: Aws, name: str, properties: Properties) -> Made:
    bucket = {"Bucket": properties["Bucket"]}
    policy = dict(properties["PolicyDocument"])
    # Nothing here is sent over TLS, so what refuses calls without it would refuse all of them.
    policy["Statement"] = [statement for statement in policy["Statement"] if not asks_for_tls(statement)]
    if policy["Statement"]:
        aws.call("s3", "put_bucket_policy", bucket, Policy=policy)
    return Made(name, {}, lambda: aws.call("s3", "delete_bucket_policy", bucket))


def asks_for_tls(statement: Properties) -> bool:
    keys = {key for condition in statement.get("Condition", {}).values() for key in condition}
    return statement["Effect"] == "Deny" and bool(keys & {"aws:SecureTransport", "s3:TlsVersion"})


def pipe(aws: Aws, name: str, properties: Properties) -> Made:
    """What stacks before the trigger of events led them through."""
    pipe_name = properties.get("Name", name)
    arn = aws.call("pipes", "create_pipe", properties, Name=pipe_name)["Arn"]
    return Made(pipe_name, {"Arn": arn}, lambda: aws.call("pipes", "delete_pipe", {"Name": pipe_name}))


def schedule_group(aws: Aws, name: str, properties: Properties) -> Made:
    group = properties.get("Name", name)
    arn = aws.call("scheduler", "create_schedule_group", properties, Name=group)["ScheduleGroupArn"]
    return Made(group, {"Arn": arn}, lambda: aws.call("scheduler", "delete_schedule_group", {"Name": group}))


def schedule(aws: Aws, name: str, properties: Properties) -> Made:
    schedule_name = properties.get("Name", name[:64])
    arn = aws.call("scheduler", "create_schedule", properties, Name=schedule_name)["ScheduleArn"]
    key = {"Name": schedule_name, "GroupName": properties["GroupName"]}
    return Made(schedule_name, {"Arn": arn}, lambda: aws.call("scheduler", "delete_schedule", key))


def web_acl(aws: Aws, name: str, properties: Properties) -> Made:
    acl_name = properties.get("Name", name)
    made = aws.call("wafv2", "create_web_acl", properties, Name=acl_name)["Summary"]
    key = {"Name": acl_name, "Scope": properties["Scope"], "Id": made["Id"]}
    ref = f"{acl_name}|{made['Id']}|{properties['Scope']}"
    lock = made["LockToken"]
    return Made(ref, {"Arn": made["ARN"]}, lambda: aws.call("wafv2", "delete_web_acl", key, LockToken=lock))


def web_acl_association(aws: Aws, name: str, properties: Properties) -> Made:
    aws.call("wafv2", "associate_web_acl", properties)
    key = {"ResourceArn": properties["ResourceArn"]}
    return Made(name, {}, lambda: aws.call("wafv2", "disassociate_web_acl", key))


# Made through the API of moto's service.
ADDED: dict[str, Callable[[Aws, str, Properties], Made]] = {
    "AWS::ApiGateway::Account": account_of_api_gateway,
    "AWS::ApiGateway::BasePathMapping": base_path_mapping,
    "AWS::ApiGateway::DomainName": domain_name,
    "AWS::ApiGateway::GatewayResponse": gateway_response,
    "AWS::ApiGateway::Stage": stage,
    "AWS::Bedrock::Agent": agent,
    "AWS::CloudFront::Distribution": distribution,
    "AWS::CloudFront::Function": viewer_function,
    "AWS::CloudFront::OriginAccessControl": origin_access_control,
    "AWS::CloudWatch::Alarm": alarm,
    "AWS::Cognito::UserPool": user_pool,
    "AWS::Cognito::UserPoolClient": user_pool_client,
    "AWS::Cognito::UserPoolDomain": user_pool_domain,
    "AWS::Cognito::UserPoolUser": user_pool_user,
    "AWS::DynamoDB::GlobalTable": global_table,
    "AWS::Lambda::Alias": function_alias,
    "AWS::Lambda::EventInvokeConfig": event_invoke_config,
    "AWS::Lambda::Url": function_url,
    "AWS::Pipes::Pipe": pipe,
    "AWS::S3::BucketPolicy": bucket_policy,
    "AWS::SNS::Subscription": subscription,
    "AWS::SNS::TopicPolicy": topic_policy,
    "AWS::SQS::QueuePolicy": queue_policy,
    "AWS::Scheduler::Schedule": schedule,
    "AWS::Scheduler::ScheduleGroup": schedule_group,
    "AWS::SecretsManager::Secret": secret,
    "AWS::WAFv2::WebACL": web_acl,
    "AWS::WAFv2::WebACLAssociation": web_acl_association,
}

# moto has no such thing in any service: an identity is all that is made. For each type, what moto would make it with.
IDENTITY_ONLY: dict[str, tuple[type, str]] = {
    "AWS::CloudFront::ResponseHeadersPolicy": (CloudFrontResponse, "create_response_headers_policy"),
    "AWS::CloudWatch::CompositeAlarm": (CloudWatchResponse, "put_composite_alarm"),
    "AWS::Cognito::ManagedLoginBranding": (CognitoIdpResponse, "create_managed_login_branding"),
    "AWS::Logs::QueryDefinition": (LogsResponse, "put_query_definition"),
}

# Types that moto makes and deletes but leaves as they are when a stack is updated.
NOT_UPDATED = {
    "AWS::ApiGateway::Deployment",
    "AWS::ApiGateway::Method",
    "AWS::ApiGateway::Resource",
    "AWS::ApiGateway::RestApi",
    "AWS::KMS::Key",
    "AWS::Lambda::Permission",
    "AWS::Lambda::Version",
    "AWS::Logs::LogGroup",
}

# Types that moto makes but leaves behind when a stack is deleted.
NOT_DELETED = {
    "AWS::ApiGateway::Deployment",
    "AWS::ApiGateway::Method",
    "AWS::ApiGateway::Resource",
    "AWS::ApiGateway::RestApi",
    "AWS::Lambda::Permission",
    "AWS::Lambda::Version",
}


# Models of which moto's Ref gives the object itself, and what it should give.
WITHOUT_REF: dict[Any, str] = {Deployment: "id", EventBus: "name"}


class AddedResource(CloudFormationModel):
    """A resource of an added type, in the form in which moto's CloudFormation handles its own."""

    # moto counts the instances of a model by the second part of its module's name.
    __module__ = "moto.cloudformation.added"

    endpoint = ""

    def __init__(self, made: Made, name: str):
        self.made = made
        self.name = name

    @property
    def physical_resource_id(self) -> str:
        return self.made.ref

    @staticmethod
    def cloudformation_name_type() -> str:
        return ""

    @classmethod
    def has_cfn_attr(cls, attr: str) -> bool:
        return True

    def get_cfn_attribute(self, attribute_name: str) -> Any:
        if attribute_name not in self.made.attributes:
            raise ValidationError(message=f"{self.cloudformation_type()} is made without {attribute_name}")
        return self.made.attributes[attribute_name]

    def is_created(self) -> bool:
        return True

    @classmethod
    def create_from_cloudformation_json(
        cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **kwargs: Any
    ) -> "AddedResource":
        return cls(cls.make(resource_name, cloudformation_json["Properties"], region_name), resource_name)

    @classmethod
    def update_from_cloudformation_json(
        cls, original_resource: Any, new_resource_name: str, cloudformation_json: Any, account_id: str, region_name: str
    ) -> "AddedResource":
        properties = cloudformation_json["Properties"]
        update = UPDATES.get(cls.cloudformation_type())
        if update is not None:
            update(Aws(region_name, AddedResource.endpoint), original_resource.made, properties)
            return original_resource
        original_resource.made.delete()
        return cls(cls.make(original_resource.name, properties, region_name), original_resource.name)

    def delete(self, account_id: str, region_name: str) -> None:
        try:
            self.made.delete()
        except ClientError as error:
            # What it belongs to may have gone before it.
            if not re.search("NotFound|NoSuch|NonExist", error.response["Error"]["Code"]):
                raise

    @classmethod
    def make(cls, name: str, properties: Properties, region: str) -> Made:
        resource_type = cls.cloudformation_type()
        aws = Aws(region, AddedResource.endpoint)
        if resource_type in ADDED:
            return ADDED[resource_type](aws, name, properties)
        return Made(name, {"Id": name})


class DeclaredResource(CloudFormationModel):
    """A resource that the gateway's function serves. moto sends such functions creations only, in Docker, and waits for none.

    Here the requests of CloudFormation go to an address that runs the function, one after the other.
    """

    __module__ = "moto.cloudformation.declared"

    address = ""

    def __init__(self, request: Properties, answer: Properties):
        self.request = request
        self.answer = answer

    @property
    def physical_resource_id(self) -> str:
        return str(self.answer["PhysicalResourceId"])

    @staticmethod
    def cloudformation_name_type() -> str:
        return ""

    @staticmethod
    def cloudformation_type() -> str:
        return "Custom::Gateway"

    @classmethod
    def has_cfn_attr(cls, attr: str) -> bool:
        return True

    def get_cfn_attribute(self, attribute_name: str) -> Any:
        return self.answer["Data"][attribute_name]

    def is_created(self) -> bool:
        return True

    @classmethod
    def create_from_cloudformation_json(
        cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **kwargs: Any
    ) -> "DeclaredResource":
        request = {
            "StackId": kwargs["StackId"],
            "LogicalResourceId": kwargs["LogicalId"],
            "ResourceType": kwargs["ResourceType"],
            "ResourceProperties": as_texts(cloudformation_json["Properties"]),
        }
        return cls(request, cls.ask("Create", request))

    @classmethod
    def update_from_cloudformation_json(
        cls, original_resource: Any, new_resource_name: str, cloudformation_json: Any, account_id: str, region_name: str
    ) -> "DeclaredResource":
        former = original_resource.request
        request = {**former, "ResourceProperties": as_texts(cloudformation_json["Properties"])}
        physical_id = original_resource.physical_resource_id
        more = {"PhysicalResourceId": physical_id, "OldResourceProperties": former["ResourceProperties"]}
        updated = cls(request, cls.ask("Update", {**request, **more}))
        if updated.physical_resource_id != physical_id:
            original_resource.delete(account_id, region_name)
        return updated

    def delete(self, account_id: str, region_name: str) -> None:
        self.ask("Delete", {**self.request, "PhysicalResourceId": self.physical_resource_id})

    @classmethod
    def ask(cls, kind: str, request: Properties) -> Properties:
        sent = urllib.request.Request(cls.address, json.dumps({"RequestType": kind, **request}).encode(), method="POST")
        with urllib.request.urlopen(sent) as response:
            answer: Properties = json.load(response)
        if answer["Status"] == "FAILED":
            raise ValidationError(message=f"{request['LogicalResourceId']}: {answer['Reason']}")
        return answer


def as_texts(value: Any) -> Any:
    """CloudFormation sends numbers and truth values as text."""
    if isinstance(value, dict):
        return {name: as_texts(one) for name, one in value.items()}
    if isinstance(value, list):
        return [as_texts(one) for one in value]
    return value if isinstance(value, str) else json.dumps(value)


def update_distribution(aws: Aws, made: Made, properties: Properties) -> None:
    current = aws.call("cloudfront", "get_distribution_config", {"Id": made.ref})
    config = distribution_config(properties, current["DistributionConfig"]["CallerReference"])
    aws.call("cloudfront", "update_distribution", config, Id=made.ref, IfMatch=current["ETag"])


# Types of which an update must not make another one. The others are deleted and made again under the same name.
UPDATES: dict[str, Callable[[Aws, Made, Properties], None]] = {
    "AWS::CloudFront::Distribution": update_distribution,
}


def complete(endpoint: str) -> None:
    """Adds the types to moto's CloudFormation and turns what it would pass over in silence into failures."""
    own = set(parsing.get_model_map())
    learned = own & (ADDED.keys() | IDENTITY_ONLY.keys())
    learned |= {name for name, (service, operation) in IDENTITY_ONLY.items() if hasattr(service, operation)}
    learned |= {model.cloudformation_type() for model in WITHOUT_REF if hasattr(model, "physical_resource_id")}
    if learned:
        sys.exit(f"moto has learned {', '.join(sorted(learned))}: remove it from the lists of {__file__}.")
    for given, is_there, what in (
        (NOT_UPDATED, lambda model: implements(model, "update_from_cloudformation_json"), "update"),
        (NOT_DELETED, lambda model: hasattr(model, "delete"), "delete"),
        (NOT_DELETED, lambda model: implements(model, "delete_from_cloudformation_json"), "delete"),
    ):
        able = {name for name in given if is_there(parsing.get_model_map()[name])}
        if able:
            sys.exit(f"moto has learned to {what} {', '.join(sorted(able))}: remove it from the lists of {__file__}.")

    for model, attribute in WITHOUT_REF.items():
        model.physical_resource_id = property(lambda self, attribute=attribute: getattr(self, attribute))

    AddedResource.endpoint = endpoint
    for resource_type in ADDED.keys() | IDENTITY_ONLY.keys():
        model = type(
            resource_type.replace("::", ""),
            (AddedResource,),
            {
                "__module__": AddedResource.__module__,
                "cloudformation_type": staticmethod(lambda resource_type=resource_type: resource_type)},
        )
        parsing.get_model_map()[resource_type] = model
        parsing.get_name_type_map()[resource_type] = ""

    known_class = parsing.resource_class_from_type

    def class_or_failure(resource_type: str) -> Any:
        if DeclaredResource.address and resource_type.startswith("Custom::Gateway"):
            return DeclaredResource
        found = known_class(resource_type)
        if found is None and resource_type not in parsing.NULL_MODELS:
            raise ValidationError(message=f"moto does not make {resource_type}, and no list says so")
        return found

    parsing.resource_class_from_type = class_or_failure

    update = parsing.parse_and_update_resource

    def update_or_keep(logical_id: str, resource_json: Any, resources_map: Any, **where: str) -> Any:
        original = resources_map[logical_id]
        updated = update(logical_id, resource_json, resources_map, **where)
        if updated is None and resource_json["Type"] not in NOT_UPDATED:
            raise ValidationError(message=f"moto does not update {resource_json['Type']}, and no list says so")
        return original if updated is None else updated

    parsing.parse_and_update_resource = update_or_keep

    delete = parsing.ResourceMap._delete_resource

    def delete_or_retain(self: Any, resource: Any, resource_json: Any) -> None:
        # In an update moto forgets that a resource taken out of the template may have to stay, and it knows no
        # RetainExceptOnCreate.
        if resource_json.get("DeletionPolicy") not in ("Retain", "RetainExceptOnCreate"):
            delete(self, resource, resource_json)

    parsing.ResourceMap._delete_resource = delete_or_retain

    role_attribute = Role.get_cfn_attribute

    def attribute_with_id(self: Any, attribute_name: str) -> str:
        return str(self.id if attribute_name == "RoleId" else role_attribute(self, attribute_name))

    Role.get_cfn_attribute = attribute_with_id

    make_key = Key.create_from_cloudformation_json

    def key_with_readable_policy(cls: Any, resource_name: str, cloudformation_json: Any, *where: str, **more: Any) -> Any:
        # moto's service takes a key's policy as text, and fails at the structure that its CloudFormation hands on.
        properties = cloudformation_json["Properties"]
        as_text = {**cloudformation_json, "Properties": {**properties, "KeyPolicy": json.dumps(properties["KeyPolicy"])}}
        return make_key(resource_name, as_text, *where, **more)

    Key.create_from_cloudformation_json = classmethod(key_with_readable_policy)

    diff = parsing.ResourceMap.build_resource_diff

    def diff_in_order(self: Any, other_template: Any, parameters: Any = None) -> Any:
        # A change set of moto's adds resources in the order of the template; CloudFormation waits for what one depends on.
        changes = diff(self, other_template, parameters)
        new = other_template["Resources"]
        changes["Add"] = [name for name in in_order(new) if name in changes["Add"]]
        turned = [f'"Fn::If": ["{condition}"' for condition in getattr(self, "turned", ())]
        same = [name for name in new if name in self._resource_json_map and name not in changes["Modify"]]
        changes["Modify"] += [name for name in same if any(one in json.dumps(new[name]) for one in turned)]
        return changes

    parsing.ResourceMap.build_resource_diff = diff_in_order

    # An update of moto's looks at no condition: it neither makes nor removes what a parameter switches on or off.
    def holding(template: Any, conditions: Any) -> Any:
        resources = template["Resources"].items()
        return {**template, "Resources": {name: one for name, one in resources if conditions.get(one.get("Condition"), True)}}

    create = parsing.ResourceMap.create

    def create_what_holds(self: Any, template: Any) -> bool:
        return bool(create(self, holding(template, self.lazy_condition_map)))

    parsing.ResourceMap.create = create_what_holds

    update_map = parsing.ResourceMap.update

    def update_what_holds(self: Any, template: Any, parameters: Any = None) -> None:
        after = copy.copy(self)
        after._parsed_resources = dict(self._parsed_resources)
        after.resolved_parameters = {}
        after._template = template
        after.input_parameters = parameters or self.input_parameters
        after.load_parameters()
        after.load_conditions()
        before, now = self.lazy_condition_map, after.lazy_condition_map
        self.turned = [name for name, holds in now.items() if before.get(name) != holds]
        known = set(self._resource_json_map)
        update_map(self, holding(template, now), parameters)
        # What was removed would be found again, and so not be made again.
        for name in known - set(self._resource_json_map):
            self._parsed_resources.pop(name, None)

    parsing.ResourceMap.update = update_what_holds

    # An update that keeps a parameter's value gets this back. Of a parameter that names one of the parameter store moto
    # gives what is stored there, and then looks for that as a name.
    def parameters_as_given(self: Stack) -> dict[str, Any]:
        slots = self.template_dict.get("Parameters", {})
        names = {name for name, slot in slots.items() if slot["Type"].startswith("AWS::SSM::Parameter::")}
        given = {name: self.resource_map.input_parameters.get(name, slots[name].get("Default")) for name in names}
        return {**self.resource_map.resolved_parameters, **given}

    Stack.stack_parameters = property(parameters_as_given)

    execute = CloudFormationBackend.execute_change_set

    def execute_or_fail(self: Any, change_set_name: str, stack_name: str | None = None) -> None:
        # moto answers a failed change with an error 500 and takes the stack for complete; CloudFormation says what failed.
        try:
            execute(self, change_set_name, stack_name)
            stack = self.describe_change_set(change_set_name).stack
            # moto makes the outputs of what was created without a change set only.
            stack._parse_template()
            stack.output_map = stack._create_output_map()
            list(stack.output_map.values())
        except Exception as error:
            traceback.print_exc()
            change_set = self.describe_change_set(change_set_name)
            kind = change_set.change_set_type
            change_set.stack._add_stack_event(f"{kind}_FAILED", resource_status_reason=f"{type(error).__name__}: {error}")
            change_set.stack.status = "ROLLBACK_COMPLETE" if kind == "CREATE" else "UPDATE_ROLLBACK_COMPLETE"

    CloudFormationBackend.execute_change_set = execute_or_fail

    # moto looks for a change set by its name in all stacks, and the CDK gives it the same name in each.
    def delete_change_set(self: Any) -> EmptyResult:
        for change_set_id in change_sets_asked_for(self):
            del self.cloudformation_backend.change_sets[change_set_id]
        return EmptyResult()

    def describe_change_set(self: Any) -> ActionResult:
        found = change_sets_asked_for(self)
        if not found:
            raise ChangeSetNotFound(f"ChangeSet [{self._get_param('ChangeSetName')}] does not exist")
        return ActionResult(self.cloudformation_backend.change_sets[found[-1]])

    def execute_change_set(self: Any) -> EmptyResult:
        self.cloudformation_backend.execute_change_set(change_sets_asked_for(self)[-1])
        return EmptyResult()

    CloudFormationResponse.delete_change_set = delete_change_set
    CloudFormationResponse.describe_change_set = describe_change_set
    CloudFormationResponse.execute_change_set = execute_change_set


class ChangeSetNotFound(ServiceException):
    """What the CDK waits for after it has deleted a change set."""

    code = "ChangeSetNotFoundException"


def change_sets_asked_for(response: CloudFormationResponse) -> list[str]:
    """Ids of the change sets that a request names, by id or by name and stack; the newest last."""
    name, stack = response._get_param("ChangeSetName"), response._get_param("StackName")
    return [
        change_set_id
        for change_set_id, change_set in response.cloudformation_backend.change_sets.items()
        if change_set_id == name
        or (change_set.change_set_name == name and stack in (change_set.stack_name, change_set.stack_id))
    ]


def in_order(resources: dict[str, Any]) -> list[str]:
    """Logical ids, each after those it depends on."""
    ordered: dict[str, None] = {}
    begun: set[str] = set()

    def add(name: str) -> None:
        if name in begun or name not in resources:
            return
        begun.add(name)
        depends_on = resources[name].get("DependsOn", [])
        for other in [depends_on] if isinstance(depends_on, str) else depends_on:
            add(other)
        for other in re.findall(r'"(?:Ref|Fn::GetAtt)": \[?"(\w+)"', json.dumps(resources[name])):
            add(other)
        ordered[name] = None

    for name in resources:
        add(name)
    return list(ordered)


def implements(model: Any, method: str) -> bool:
    return not hasattr(getattr(model, method), "__isabstractmethod__")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int)
    parser.add_argument("--account")
    parser.add_argument("--declared", default="")
    parser.add_argument("--types", action="store_true")
    arguments = parser.parse_args()
    if arguments.types:
        lists = {
            "added": sorted(ADDED),
            "identityOnly": sorted(IDENTITY_ONLY),
            "notUpdated": sorted(NOT_UPDATED),
            "notDeleted": sorted(NOT_DELETED),
        }
        print(json.dumps(lists))
        return
    if arguments.account:
        os.environ["MOTO_ACCOUNT_ID"] = arguments.account
    DeclaredResource.address = arguments.declared
    complete(f"http://127.0.0.1:{arguments.port}")
    moto_server.main(["--host", "127.0.0.1", "--port", str(arguments.port)])


if __name__ == "__main__":
    main()
