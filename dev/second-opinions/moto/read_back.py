"""Prints the resources of a stack in moto's server: a JSON object of each description by its logical id.

    python read_back.py ENDPOINT REGION STACK

Descriptions come from the services' own APIs, merged where one resource takes several calls. Resources that no service
describes are left out.
"""

import json
import sys
from typing import Any

import boto3

endpoint, region, stack = sys.argv[1:]


def client(service: str) -> Any:
    return boto3.client(
        service,
        region_name=region,
        endpoint_url=endpoint,
        aws_access_key_id="AKIDEXAMPLE",
        aws_secret_access_key="secret",
    )


def table(name: str) -> Any:
    """A table in the form that a GlobalTable has in a template."""
    dynamodb = client("dynamodb")
    described = dynamodb.describe_table(TableName=name)["Table"]
    backups = dynamodb.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
    recovery = backups["PointInTimeRecoveryDescription"]
    ttl = dynamodb.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    sse = described["SSEDescription"]
    return {
        **described,
        "BillingMode": described["BillingModeSummary"]["BillingMode"],
        "TimeToLiveSpecification": {**ttl, "Enabled": ttl["TimeToLiveStatus"] == "ENABLED"},
        "SSESpecification": {**sse, "SSEEnabled": sse["Status"] == "ENABLED"},
        "Replicas": [
            {
                "Region": described["TableArn"].split(":")[3],
                "DeletionProtectionEnabled": described["DeletionProtectionEnabled"],
                "GlobalSecondaryIndexes": described["GlobalSecondaryIndexes"],
                "PointInTimeRecoverySpecification": {
                    **recovery,
                    "PointInTimeRecoveryEnabled": recovery["PointInTimeRecoveryStatus"] == "ENABLED",
                },
                "SSESpecification": {"KMSMasterKeyId": sse["KMSMasterKeyArn"]},
            }
        ],
    }


def key(name: str) -> Any:
    kms = client("kms")
    return {
        **kms.describe_key(KeyId=name)["KeyMetadata"],
        "EnableKeyRotation": kms.get_key_rotation_status(KeyId=name)["KeyRotationEnabled"],
        "KeyPolicy": json.loads(kms.get_key_policy(KeyId=name, PolicyName="default")["Policy"]),
    }


def role(name: str) -> Any:
    iam = client("iam")
    policies = iam.list_role_policies(RoleName=name)["PolicyNames"]
    return {
        **iam.get_role(RoleName=name)["Role"],
        "InlinePolicies": [
            iam.get_role_policy(RoleName=name, PolicyName=policy)["PolicyDocument"] for policy in policies
        ],
    }


def log_group(name: str) -> Any:
    return client("logs").describe_log_groups(logGroupNamePrefix=name)["logGroups"][0]


def user_pool(name: str) -> Any:
    cognito = client("cognito-idp")
    pool = cognito.describe_user_pool(UserPoolId=name)["UserPool"]
    factors = cognito.get_user_pool_mfa_config(UserPoolId=name)
    by_software = factors.get("SoftwareTokenMfaConfiguration", {}).get("Enabled")
    return {
        **pool,
        "MfaConfiguration": factors["MfaConfiguration"],
        "EnabledMfas": ["SOFTWARE_TOKEN_MFA"] if by_software else [],
        "Schema": pool["SchemaAttributes"],
    }


def bucket(name: str) -> Any:
    encryption = client("s3").get_bucket_encryption(Bucket=name)["ServerSideEncryptionConfiguration"]
    rules = [{"ServerSideEncryptionByDefault": rule["ApplyServerSideEncryptionByDefault"]} for rule in encryption["Rules"]]
    return {"BucketEncryption": {"ServerSideEncryptionConfiguration": rules}}


def distribution(name: str) -> Any:
    config = client("cloudfront").get_distribution(Id=name)["Distribution"]["DistributionConfig"]
    return {"DistributionConfig": {**config, "IPV6Enabled": config["IsIPV6Enabled"]}}


def schedule(name: str) -> Any:
    scheduler = client("scheduler")
    [found] = [one for one in scheduler.list_schedules()["Schedules"] if one["Name"] == name]
    return scheduler.get_schedule(Name=name, GroupName=found["GroupName"])


def trigger(name: str) -> Any:
    described = client("lambda").get_event_source_mapping(UUID=name)
    return {**described, "FunctionName": described["FunctionArn"].split(":")[-1]}


DESCRIBE = {
    "AWS::CloudFront::Distribution": distribution,
    "AWS::CloudWatch::Alarm": lambda name: client("cloudwatch").describe_alarms(AlarmNames=[name])["MetricAlarms"][0],
    "AWS::Cognito::UserPool": user_pool,
    "AWS::DynamoDB::GlobalTable": table,
    "AWS::IAM::Role": role,
    "AWS::KMS::Key": key,
    "AWS::Lambda::Function": lambda name: client("lambda").get_function_configuration(FunctionName=name),
    "AWS::Logs::LogGroup": log_group,
    "AWS::Lambda::EventSourceMapping": trigger,
    "AWS::S3::Bucket": bucket,
    "AWS::Scheduler::Schedule": schedule,
    "AWS::SecretsManager::Secret": lambda name: client("secretsmanager").describe_secret(SecretId=name),
}

resources = client("cloudformation").describe_stack_resources(StackName=stack)["StackResources"]
held = {
    resource["LogicalResourceId"]: {
        "type": resource["ResourceType"],
        "id": resource.get("PhysicalResourceId"),
        "description": DESCRIBE[resource["ResourceType"]](resource["PhysicalResourceId"])
        if resource["ResourceType"] in DESCRIBE
        else None,
    }
    for resource in resources
}
print(json.dumps(held, default=str))
